import { secretsIn, withoutSecrets } from '../../../loadtests/src/secret/chart-values.ts'

const kept = (given: object) => withoutSecrets<object>(given)

test.each([
  [{ encryptionKey: { value: 'k' } }, { encryptionKey: { value: 'REDACTED' } }],
  [
    { database: { password: { value: 'p' }, user: 'n8n' } },
    { database: { password: { value: 'REDACTED' }, user: 'n8n' } },
  ],
  [{ redis: { password: { value: 1234 } } }, { redis: { password: { value: 'REDACTED' } } }],
  [{ runner: { token: { value: 't' } } }, { runner: { token: { value: 'REDACTED' } } }],
  [{ 'database.password.value': ['a', 'b'] }, { 'database.password.value': ['REDACTED', 'REDACTED'] }],
  [{ database: 'postgres.example.com' }, { database: 'REDACTED' }],
])('the chart’s schema marks its own secrets: %j', (given, expected) => {
  expect(kept(given)).toEqual(expected)
})

test.each([
  ['N8N_SMTP_PASS', 'hunter2'],
  ['CREDENTIALS_OVERWRITE_DATA', '{"slackOAuth2Api":{"clientSecret":"s"}}'],
  ['N8N_ENCRYPTION_KEY', 'k'],
  ['DB_POSTGRESDB_PASSWORD', 12345],
  ['N8N_SMTP_OAUTH_PRIVATE_KEY', 'p'],
  ['N8N_LICENSE_ACTIVATION_KEY', 'a'],
  ['N8N_SENTRY_DSN', 'https://a@sentry.io/1'],
  ['OPENAI_API_KEY', 'sk'],
  ['OF_NOBODY', 'who knows'],
  ['name', 'a variable, and no field of Kubernetes'],
])('of the variable %s no value is kept', (name, value) => {
  const values = {
    role: { extraEnv: { [name]: value } },
    worker: { pools: [{ name: 'a', extraEnv: { [name]: value } }] },
  }
  expect(kept(values)).toEqual({
    role: { extraEnv: { [name]: 'REDACTED' } },
    worker: { pools: [{ name: 'a', extraEnv: { [name]: 'REDACTED' } }] },
  })
  expect(kept({ [`main.extraEnv.${name}`]: [value] })).toEqual({ [`main.extraEnv.${name}`]: ['REDACTED'] })
})

test('of a URL that n8n needs, all but its password is kept', () => {
  expect(kept({ role: { extraEnv: { HTTPS_PROXY: 'http://me:pass@proxy:3128' } } })).toEqual({
    role: { extraEnv: { HTTPS_PROXY: 'http://REDACTED@proxy:3128' } },
  })
})

test('of the URL of a hook, only where it leads is kept', () => {
  const hook = 'https://n8n.example.com/behind-the-door/'
  const without = 'https://n8n.example.com/REDACTED/'
  expect(kept({ role: { extraEnv: { WEBHOOK_URL: hook } }, webhookUrl: hook })).toEqual({
    role: { extraEnv: { WEBHOOK_URL: without } },
    webhookUrl: without,
  })
  expect(kept({ webhookUrl: 'https://n8n.example.com/' })).toEqual({ webhookUrl: 'https://n8n.example.com/' })
})

test('of the path of another URL, what may be a key is not kept', () => {
  const registry = (path: string) => ({
    role: { extraEnv: { NPM_CONFIG_REGISTRY: `https://npm.example.com/${path}` } },
  })
  expect(kept(registry('private/3f9a1c7e5b20d846/npm'))).toEqual(registry('private/REDACTED/npm'))
  expect(kept(registry('repository/npm/'))).toEqual(registry('repository/npm/'))
})

test('what decides the figures of a run is kept', () => {
  const given = {
    executions: { mode: 'queue' },
    image: { tag: '2.41.1', digest: `sha256:${'0a'.repeat(32)}`, pullSecrets: [{ name: 'registry' }] },
    tuning: { tier: 'lean', settings: { databasePool: true } },
    database: {
      type: 'external',
      host: 'db.example.com',
      tls: { enabled: true, caSecret: { name: 'ca', key: 'ca.crt' } },
    },
    encryptionKey: { existingSecret: { name: 'mine', key: 'N8N_ENCRYPTION_KEY' }, value: '' },
    main: {
      resources: { limits: { cpu: '2', memory: '1Gi' } },
      extraEnv: {
        N8N_LOG_LEVEL: 'debug',
        NODE_OPTIONS: '--max-http-header-size=32768',
        GENERIC_TIMEZONE: 'Europe/Berlin',
        UV_THREADPOOL_SIZE: 8,
        OF_NOBODY: '30s',
        N8N_RUNNERS_TASK_TIMEOUT: '300',
        N8N_ENCRYPTION_KEY_FILE: '/run/secrets/key',
        SHOP_TOKEN: { valueFrom: { secretKeyRef: { name: 'shop', key: 'token' } } },
      },
      extraVolumes: [{ name: 'ca', secret: { secretName: 'ca', items: [{ key: 'ca.crt', path: 'ca.crt' }] } }],
      extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/ca', readOnly: true }],
      podSecurityContext: { runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      tolerations: [{ key: 'dedicated', operator: 'Exists', effect: 'NoSchedule' }],
      nodeSelector: { 'kubernetes.io/arch': 'amd64' },
    },
    lab: { balancer: 'nginx' },
  }
  expect(kept(given)).toEqual(given)
})

test('nothing is kept of what users add and nobody knows', () => {
  const text = JSON.stringify(
    kept({
      global: { theirs: 'hunter2' },
      commonAnnotations: { 'example.com/key': 'hunter2' },
      ingress: {
        annotations: { 'nginx.ingress.kubernetes.io/configuration-snippet': 'proxy_set_header X-Key hunter2;' },
      },
      extraObjects: [
        { kind: 'Secret', metadata: { name: 'mine' }, stringData: { name: 'hunter2', data: 'hunter2' } },
        'kind: Secret\nstringData: {key: hunter2}',
      ],
      role: {
        podAnnotations: { token: 'hunter2' },
        lifecycle: { postStart: { exec: { command: ['sh', '-c', 'login hunter2'] } } },
        extraContainers: [
          { name: 'proxy', image: 'proxy:1', args: ['--token=hunter2'], env: [{ name: 'KEY', value: 'hunter2' }] },
        ],
        extraVolumes: [{ name: 'vault', csi: { driver: 'vault', volumeAttributes: { token: 'hunter2' } } }],
      },
      otherChart: { credentials: { name: 'hunter2' }, list: ['hunter2'] },
    }),
  )
  expect(text).not.toContain('hunter2')
  expect(text).toContain('"image":"proxy:1"')
})

test('what is replaced is told, with how sure that is', () => {
  expect(
    secretsIn({ database: { password: { value: 'p' } }, role: { extraEnv: { A: 'b c', N8N_HOST: 'x' } } }),
  ).toEqual([
    { text: 'p', secrecy: 'secret' },
    { text: 'b c', secrecy: 'unknown' },
  ])
})
