import { Draft } from '../../../loadtests/src/convert/draft.ts'
import { takeVariable } from '../../../loadtests/src/convert/variables.ts'

function taken(name: string, value: unknown): Draft {
  const draft = new Draft()
  takeVariable({ name, value, role: 'role', path: 'env' }, draft)
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
  expect(taken('N8N_SMTP_PASS_FILE', '/run/secrets/smtp').secrets.size).toBe(0)
})

test('a value that takes text is not taken from elsewhere', () => {
  const { values, left } = taken('DB_POSTGRESDB_HOST', { valueFrom: { configMapKeyRef: { name: 'db', key: 'host' } } })
  expect(values).toEqual({})
  expect(left).toMatchObject([{ path: 'env (DB_POSTGRESDB_HOST)', text: expect.stringContaining('database.host') }])
})

test('a database that n8n no longer has is left to the user', () => {
  expect(taken('DB_TYPE', 'mysqldb').left).toHaveLength(1)
})
