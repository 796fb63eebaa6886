import { Account } from '../../../loadtests/src/convert/account.ts'
import { Draft } from '../../../loadtests/src/convert/draft.ts'
import { Key } from '../../../loadtests/src/convert/key.ts'
import { takeVariable } from '../../../loadtests/src/convert/variables.ts'

function taken(name: string, value: unknown): Draft {
  const draft = new Draft(new Account({ env: value }))
  takeVariable({ name, value, role: 'role', key: new Key('env', value, draft) }, draft)
  return draft
}

test.each([
  ['DB_POSTGRESDB_PORT', '5433', { database: { port: 5433 } }],
  ['DB_POSTGRESDB_SSL_ENABLED', 'true', { database: { tls: { enabled: true } } }],
  ['QUEUE_BULL_REDIS_CLUSTER_NODES', 'a:1, b:2', { redis: { type: 'external', clusterNodes: ['a:1', 'b:2'] } }],
  ['N8N_GRACEFUL_SHUTDOWN_TIMEOUT', '20', {}],
  ['N8N_PORT', '5678', {}],
  ['N8N_SOMETHING_ELSE', 'yes', { role: { extraEnv: { N8N_SOMETHING_ELSE: 'yes' } } }],
])('%s=%s', (name, value, values) => {
  expect(taken(name, value).values).toEqual(values)
})

test.each(['N8N_SMTP_PASS', 'DB_PASSWORD', 'SOME_API_KEY', 'MY_TOKEN'])('the text of %s goes into a Secret', (name) => {
  const { values, secrets } = taken(name, 'sesame')
  expect(values).toEqual({
    role: { extraEnv: { [name]: { valueFrom: { secretKeyRef: { name: 'n8n-moved', key: name } } } } },
  })
  expect([...secrets.keys()]).toEqual([name])
})

test('so does a URL with a password', () => {
  expect(taken('HTTPS_PROXY', 'http://me:sesame@proxy:3128').secrets.size).toBe(1)
})

test('a file that holds a secret is none', () => {
  expect(taken('N8N_SMTP_PASS_FILE', '/etc/mail/password').secrets.size).toBe(0)
})

test.each([
  ['N8N_SMTP_PASS_FILE', '/run/secrets/smtp', 'N8N_SMTP_PASS'],
  ['DB_POSTGRESDB_PASSWORD_FILE', '/etc/database/password', 'DB_POSTGRESDB_PASSWORD'],
])(
  '%s at %s is read into the Secret: there is no such file here, or the chart needs the text',
  (name, file, secret) => {
    const { values, secrets } = taken(name, file)
    expect([...secrets.keys()]).toEqual([secret])
    expect(JSON.stringify(values)).not.toContain(file)
  },
)

test('a value that takes text is not taken from elsewhere', () => {
  const { values, account } = taken('DB_POSTGRESDB_HOST', {
    valueFrom: { configMapKeyRef: { name: 'db', key: 'host' } },
  })
  expect(values).toEqual({})
  expect(account.rows()).toMatchObject([
    { path: 'env', outcome: { is: 'refused', why: expect.stringContaining('database.host') } },
  ])
})

test('a variable that the chart leaves to the user may come from elsewhere', () => {
  const reference = { valueFrom: { secretKeyRef: { name: 'db', key: 'user' } } }
  expect(taken('DB_POSTGRESDB_USER', reference).values).toEqual({
    role: { extraEnv: { DB_POSTGRESDB_USER: reference } },
  })
})

test.each(['mysqldb', { valueFrom: { secretKeyRef: { name: 'db', key: 'type' } } }])(
  'a database %o, which might not be the one that n8n has, ends it',
  (value) => {
    expect(() => taken('DB_TYPE', value)).toThrow('Expected the database sqlite or postgresdb')
  },
)

test('an empty encryption key ends it: n8n would have made another', () => {
  expect(() => taken('N8N_ENCRYPTION_KEY', '')).toThrow("Expected n8n's encryption key, got nothing")
})
