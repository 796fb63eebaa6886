import { isolate } from '../../../../loadtests/src/chart/isolate/isolate.ts'
import type { Where } from '../../../../loadtests/src/chart/isolate/where.ts'
import type { Values } from '../../../../loadtests/src/model/experiment.ts'

/** What becomes of each value of production that a run may not use. */

const after = (values: Values, where?: Where) => isolate(values, where).values
const rows = (values: Values, where?: Where) =>
  isolate(values, where).setAside.map(({ what, instead }) => `${what.join(', ')} → ${instead}`)
const env = (variables: Values, where?: Where) =>
  (after({ main: { extraEnv: variables } }, where).main as { extraEnv: Values }).extraEnv

test.each<Values>([
  {},
  { executions: { mode: 'queue' }, database: { type: 'embedded' }, worker: { replicas: 3 } },
  { ingress: { enabled: false, host: 'n8n.example.com' }, persistence: { size: '9Gi' }, image: { tag: '2.41.1' } },
  { main: { resources: { limits: { cpu: '2' } }, extraEnv: { N8N_PAYLOAD_SIZE_MAX: 64 } }, tuning: { tier: 'lean' } },
])('values that reach nowhere stay whole: %j', (values) => {
  expect(isolate(values)).toEqual({ values, setAside: [] })
})

test('the values given are not changed', () => {
  const given = { database: { type: 'external', host: 'db' } }
  isolate(given)
  expect(given).toEqual({ database: { type: 'external', host: 'db' } })
})

test('an external database gives way to a new one, with the pool and the resources that the values set', () => {
  const database = {
    ...{ type: 'external', host: 'db.example.com', name: 'n8n', user: 'n8n', schema: 'flows', poolSize: 8 },
    password: { existingSecret: { name: 'db' } },
    tls: { enabled: true, caSecret: { name: 'ca' } },
    embedded: { resources: { limits: { memory: '1Gi' } } },
  }
  expect(after({ database })).toEqual({
    database: { type: 'embedded', poolSize: 8, embedded: { resources: { limits: { memory: '1Gi' } } } },
  })
  expect(rows({ database })).toEqual([
    'database at db.example.com by TLS → a new database in this machine’s PostgreSQL',
  ])
  expect(rows({ database }, { images: 'pulled' })).toEqual([
    'database at db.example.com by TLS → a new database in PostgreSQL 15',
  ])
})

test('nodes of a Redis cluster give way to one Redis, and its effect is said', () => {
  const redis = { type: 'external', clusterNodes: ['a:6379', 'b:6379'], prefix: 'n8n' }
  expect(after({ redis })).toEqual({ redis: { type: 'embedded', prefix: 'n8n' } })
  expect(isolate({ redis }).setAside[0]!.effect).toContain('no cluster')
})

test('without its licence n8n has one main and no pools', () => {
  const values = {
    license: { existingSecret: { name: 'licence' } },
    main: { replicas: 3 },
    worker: { replicas: 2, pools: [{ name: 'reports' }] },
  }
  expect(after(values)).toEqual({ main: { replicas: 1 }, worker: { replicas: 2 } })
  expect(rows(values)).toEqual(['license → left out', 'worker.pools reports → left out', 'main.replicas 3 → 1'])
})

test('an autoscaled role has its fewest pods, also by what all roles share', () => {
  const values = {
    role: { autoscaling: { by: 'cpu', min: 3 } },
    worker: { autoscaling: { by: 'queue', min: 0 } },
  }
  expect(after(values)).toEqual({
    role: {},
    main: { replicas: 1 },
    worker: { replicas: 1 },
    webhook: { replicas: 3 },
  })
})

test('files of workflows go where n8n keeps them without a bucket', () => {
  const binaryData = { mode: 's3', s3: { bucket: 'files' } }
  expect(after({ binaryData })).toEqual({ binaryData: { mode: 'filesystem' } })
  expect(after({ executions: { mode: 'queue' }, binaryData })).toMatchObject({ binaryData: { mode: 'database' } })
})

describe('volumes', () => {
  const main = {
    extraVolumes: [
      { name: 'ca', secret: { secretName: 'ca' } },
      { name: 'files', persistentVolumeClaim: { claimName: 'files' } },
      { name: 'scratch', emptyDir: { medium: 'Memory' } },
    ],
    extraVolumeMounts: [
      { name: 'ca', mountPath: '/etc/ca' },
      { name: 'files', mountPath: '/files' },
      { name: 'scratch', mountPath: '/scratch' },
    ],
  }

  test('with data begin empty, and with files of a Secret are left out', () => {
    expect(after({ main })).toEqual({
      main: {
        extraVolumes: [
          { name: 'files', emptyDir: {} },
          { name: 'scratch', emptyDir: { medium: 'Memory' } },
        ],
        extraVolumeMounts: main.extraVolumeMounts.slice(1),
      },
    })
  })

  test('that are left out take along the variables that name their files', () => {
    const extraEnv = { NODE_EXTRA_CA_CERTS: '/etc/ca/ca.crt', N8N_STORAGE_PATH: '/files/n8n' }
    expect(after({ main: { ...main, extraEnv } }, { images: 'pulled' }).main).toMatchObject({
      extraEnv: { N8N_STORAGE_PATH: '/files/n8n' },
    })
    expect(rows({ main: { ...main, extraEnv } })).toContain(
      'main.extraVolumes ca, main.extraEnv.NODE_EXTRA_CA_CERTS → left out',
    )
  })

  test('of production are never mounted', () => {
    expect(after({ persistence: { existingClaim: 'n8n', subPath: 'n8n', size: '9Gi' } })).toEqual({
      persistence: { size: '9Gi' },
    })
  })
})

describe('a variable stays', () => {
  test.each<[string, unknown]>([
    ['EXECUTIONS_TIMEOUT', 3600],
    ['DB_POSTGRESDB_CONNECTION_TIMEOUT', 30000],
    ['DB_TABLE_PREFIX', 'n8n_'],
    ['QUEUE_BULL_REDIS_TIMEOUT_THRESHOLD', '30000'],
    ['N8N_DIAGNOSTICS_ENABLED', 'false'],
    ['N8N_OTEL_ENABLED', false],
    ['NODE_FUNCTION_ALLOW_EXTERNAL', 'lodash.get'],
    ['NODES_EXCLUDE', '["n8n-nodes-base.executeCommand"]'],
    ['N8N_DEFAULT_LOCALE', 'de'],
    ['GENERIC_TIMEZONE', 'Europe/Berlin'],
    ['N8N_RUNNERS_MAX_CONCURRENCY', 20],
    ['N8N_RESTRICT_FILE_ACCESS_TO', '/home/node/.n8n/files'],
    ['OUR_FLAG', 'on'],
    ['OUR_GREETING', 'Good morning, and/or good night: 24/7'],
    ['OUR_CONFIG', '{"limit": 3}'],
    ['N8N_OF_NEXT_WEEK_ENABLED', true],
    ['N8N_OF_NEXT_WEEK_MODE', 'fast'],
    ['N8N_OF_NEXT_WEEK_FILE_PATH_CHECK', 'true'],
    ['EXECUTIONS_CLEANUP_CRON', '*/5 * * * *'],
    ['N8N_LOG_FILE_LOCATION', '/home/node/.n8n/logs/n8n.log'],
    ['NODE_ENV', 'production'],
    ['UV_THREADPOOL_SIZE', 8],
    ['MALLOC_ARENA_MAX', '2'],
    ['POD', { valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
    ['MEMORY', { valueFrom: { resourceFieldRef: { resource: 'limits.memory' } } }],
  ])('%s=%j: it tunes n8n, or names nothing elsewhere', (name, value) => {
    expect(env({ [name]: value })).toEqual({ [name]: value })
  })
})

describe('a variable is set aside', () => {
  const secret = { valueFrom: { secretKeyRef: { name: 'n8n', key: 'x' } } }
  test.each<[string, unknown]>([
    ['DB_POSTGRESDB_HOST', 'db'],
    ['DB_POSTGRESDB_USER', secret],
    ['DB_POSTGRESDB_SSL_REJECT_UNAUTHORIZED', 'false'],
    ['DB_POSTGRESDB_SSL_CA_FILE', '/etc/ca'],
    ['QUEUE_BULL_REDIS_CLUSTER_NODES', 'a:6379,b:6379'],
    ['N8N_LICENSE_ACTIVATION_KEY', 'key'],
    ['N8N_EXTERNAL_STORAGE_S3_BUCKET_NAME', 'files'],
    ['N8N_DEFAULT_BINARY_DATA_MODE', 's3'],
    ['N8N_CACHE_BACKEND', 'redis'],
    ['N8N_SMTP_HOST', 'mail'],
    ['N8N_LOG_STREAMING_DESTINATIONS', '[]'],
    ['N8N_EXTERNAL_SECRETS_UPDATE_INTERVAL', 300],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:4318'],
    ['N8N_SENTRY_DSN', 'https://key@sentry.io/1'],
    ['N8N_DIAGNOSTICS_ENABLED', 'true'],
    ['CREDENTIALS_OVERWRITE_ENDPOINT', 'overwrite'],
    ['N8N_USER_MANAGEMENT_JWT_SECRET', secret],
    ['N8N_SETTING', { toString: 'x' }],
    ['N8N_ENCRYPTION_KEY_FILE', '/vault/secrets/key'],
    ['WEBHOOK_URL', 'https://n8n.example.com'],
    ['N8N_LISTEN_ADDRESS', '::'],
    ['N8N_ENDPOINT_WEBHOOK', 'hooks'],
    ['N8N_METRICS', 'false'],
    ['HTTPS_PROXY', 'http://proxy:3128'],
    ['ERP_DATABASE', 'postgresql://erp:secret@erp-db/erp'],
    ['ERP_HOST', 'erp'],
    ['ERP_HOST', secret],
    ['STATE_STORE', 'redis.internal:6379'],
    ['COLLECTOR', '10.0.0.7'],
    ['AWS_ROLE_ARN', 'arn:aws:iam::1:role/n8n'],
    ['EXTERNAL_HOOK_FILES', '/hooks/hooks.js'],
    ['N8N_LOG_FILE_LOCATION', '/var/log/n8n.log'],
    ['N8N_LOG_FILE_LOCATION', '/tmp/../../../etc/cron.d/x'],
    ['N8N_LOG_FILE_LOCATION', 'logs/n8n.log'],
    ['N8N_USER_FOLDER', '..'],
    ['N8N_OF_NEXT_WEEK_PATH', 'next'],
    ['N8N_OF_NEXT_WEEK_COMMAND', 'reboot'],
    ['N8N_OF_NEXT_WEEK', 'data:text/javascript,fetch(1)'],
    ['N8N_OF_NEXT_WEEK', '~/x'],
    ['PATH', 'bin'],
    ['PATH', '/tmp/../../bin:/usr/bin'],
    ['LD_PRELOAD', 'libevil.so'],
    ['NODE_PATH', 'modules'],
    ['NODE_V8_COVERAGE', 'out'],
    ['NODE_OF_NEXT_WEEK', 'x'],
    ['BASH_ENV', 'x'],
    ['npm_config_prefix', 'x'],
    ['GIT_SSH_COMMAND', 'reboot'],
    ['OPENSSL_CONF', 'x'],
  ])('%s=%j: it names or comes from what is elsewhere', (name, value) => {
    expect(env({ [name]: value })).toEqual({})
    expect(rows({ main: { extraEnv: { [name]: value } } }).join()).toContain(`main.extraEnv.${name}`)
  })

  test('of workflows, which get a made-up text in place of a Secret', () => {
    expect(env({ CRM_KEY: secret })).toEqual({ CRM_KEY: 'made-up-by-n8n-tuned' })
  })

  test('by its name alone: its value is in no row', () => {
    expect(JSON.stringify(isolate({ main: { extraEnv: { ERP_URL: 'https://u:pa55@erp' } } }).setAside)).not.toContain(
      'pa55',
    )
  })

  test('with all others of an extraEnvFrom, whose source is named', () => {
    const role = { extraEnvFrom: [{ secretRef: { name: 'n8n-db-app' } }] }
    expect(after({ role })).toEqual({ role: {} })
    expect(rows({ role })).toEqual(['role.extraEnvFrom n8n-db-app → left out'])
  })

  test('if its path would leave what is mounted, also where images have folders of their own', () => {
    const extraEnv = { N8N_STORAGE_PATH: '/data/n8n', N8N_LOG_FILE_LOCATION: '/data/../../n8n.log', PATH: 'bin' }
    expect(env(extraEnv, { images: 'pulled' })).toEqual({ N8N_STORAGE_PATH: '/data/n8n' })
  })
})

describe('of NODE_OPTIONS', () => {
  const optionsAfter = (given: string) => env({ NODE_OPTIONS: given }).NODE_OPTIONS

  test.each([
    '--max-http-header-size=32768 --trace-warnings',
    '--max-semi-space-size=32 --stack-size=2000 --v8-pool-size 2',
    '--max_semi_space_size=32',
    '--dns-result-order=ipv4first --no-warnings --disable-warning=DEP0040',
    '--openssl-legacy-provider --no-experimental-fetch --tls-min-v1.2',
  ])('%s stays: it tunes n8n', (given) => {
    expect(optionsAfter(given)).toBe(given)
  })

  test.each([
    '--inspect=0.0.0.0:39399',
    '--inspect',
    '--inspect-brk',
    '--import=data:text/javascript,fetch(1)',
    '--import "data:text/javascript,fetch(1) "',
    '--require /otel/register.js',
    '-r ./x.cjs',
    '--cpu-prof-dir=../..',
    '--cpu-prof',
    '--env-file ../x',
    '--env-file=x',
    '--report-dir=x',
    '--heapsnapshot-near-heap-limit=3',
    '--diagnostic-dir=/tmp',
    '--experimental-loader=x',
    '--icu-data-dir=x',
    '--of-next-week',
    '--max-http-header-size=$(reboot)',
    '"--inspect"',
  ])('%s goes, and the others stay', (flag) => {
    expect(optionsAfter(`--no-deprecation ${flag} --trace-warnings`)).toBe('--no-deprecation --trace-warnings')
    expect(env({ NODE_OPTIONS: flag })).toEqual({})
  })

  test('what goes is named without its value, which may be a program', () => {
    const NODE_OPTIONS = '--import=data:text/javascript,secret --inspect=0.0.0.0:1'
    expect(rows({ main: { extraEnv: { NODE_OPTIONS } } })).toEqual([
      'main.extraEnv.NODE_OPTIONS --import, main.extraEnv.NODE_OPTIONS --inspect → left out',
    ])
  })
})

test('nothing of production stands beside n8n, brings callers to it or places it', () => {
  const values = {
    role: {
      ...{ podAnnotations: { 'vault.hashicorp.com/agent-inject': 'true' }, podLabels: { mesh: 'on' } },
      ...{ nodeSelector: { pool: 'n8n' }, hostAliases: [{ ip: '10.0.0.7', hostnames: ['db'] }], wait: { seconds: 0 } },
      ...{ extraContainers: [{ name: 'shipper' }], lifecycle: { postStart: { exec: { command: ['x'] } } } },
    },
    ...{
      serviceAccount: { create: false, name: 'irsa' },
      commonAnnotations: { a: 'b' },
      extraObjects: [{ kind: 'Job' }],
    },
    ...{ ingress: { enabled: true, host: 'a' }, publicUrl: 'https://a', service: { type: 'LoadBalancer', port: 80 } },
    ...{ networkPolicy: { from: [{}], enabled: true }, backup: { enabled: true } },
    loadtest: { nightly: { enabled: true, agreed: true } },
    image: { tag: '2.41.1', pullSecrets: [{ name: 'registry' }], pullPolicy: 'Always' },
  }
  expect(after(values)).toEqual({
    role: {},
    service: { port: 80 },
    loadtest: {},
    networkPolicy: { enabled: true },
    image: { tag: '2.41.1', pullPolicy: 'IfNotPresent' },
  })
})

describe('an image of one’s own', () => {
  const image = { repository: 'registry.example.com/n8n-fonts', tag: '7.0.0', version: '2.41.1', digest: 'sha256:1' }
  const reference = 'registry.example.com/n8n-fonts:7.0.0@sha256:1'

  test('is n8n of its version, where n8n is installed', () => {
    expect(after({ image })).toEqual({ image: { repository: 'n8nio/n8n', tag: '2.41.1' } })
    expect(rows({ image })).toEqual([`image ${reference} → n8n as this machine has it`])
  })

  test('stays, where it can be pulled', () => {
    expect(isolate({ image }, { images: 'pulled' })).toEqual({ values: { image }, setAside: [] })
  })

  test('is n8n’s own of its version, where it cannot', () => {
    expect(after({ image }, { images: 'pulled', missing: [reference] })).toEqual({
      image: { repository: 'n8nio/n8n', tag: '2.41.1' },
    })
  })

  test.each(['2.41.1-arm64', '2.41.1'])('is the same at another registry that is open to all: %s', (tag) => {
    expect(after({ image: { repository: 'docker.n8n.io/n8nio/n8n', tag } }).image).toMatchObject(
      tag === '2.41.1' ? { repository: 'docker.n8n.io/n8nio/n8n', tag } : { repository: 'n8nio/n8n', tag: '2.41.1' },
    )
  })

  test('of runners or a store gives way to one that this machine can run', () => {
    const values = {
      runner: { image: { repository: 'registry.example.com/runners', tag: '2.41.1-python' } },
      redis: { embedded: { image: { repository: 'registry.example.com/valkey', tag: '8' } } },
    }
    expect(after(values)).toEqual({
      runner: { image: { repository: 'n8nio/runners' } },
      redis: { embedded: { image: { repository: 'redis', tag: '7.0' } } },
    })
  })
})

describe('community nodes', () => {
  const communityNodes = { packages: ['n8n-nodes-ours@1.4.0', '@us/n8n-nodes-more@2.0.0'], registry: 'https://npm' }

  test('are left out, where no measured workflow has one', () => {
    expect(after({ communityNodes })).toEqual({})
  })

  test('stay, where one does', () => {
    expect(after({ communityNodes }, { packages: ['@us/n8n-nodes-more'] })).toEqual({
      communityNodes: { packages: ['@us/n8n-nodes-more@2.0.0'], registry: 'https://npm' },
    })
  })
})

test('rows with one reason are one row', () => {
  expect(rows({ main: { nodeSelector: { a: 'b' } }, worker: { nodeSelector: { a: 'b' } } })).toEqual([
    'main.nodeSelector, worker.nodeSelector → any node',
  ])
})
