import { convertFiles } from '../../../loadtests/src/convert/files.ts'
import type { SourceName } from '../../../loadtests/src/convert/sources.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'

const folder = temporaryFolder()
let files = 0

/** What a file of theirs becomes. */
async function moved(from: SourceName, text: string, tag?: string) {
  const file = await write(folder, `theirs-${files++}.yaml`, text)
  const {
    converted: { values },
    notes,
  } = await convertFiles([file], { from, tag, drop: [], profiles: [] })
  expect(JSON.stringify(values) + notes).not.toContain('not-to-be-printed')
  return { values: values as Record<string, never>, err: notes }
}

const inQueueMode = (services: string, common = '') => `
x-n8n: &n8n
  image: n8nio/n8n:2.41.1
  environment: &env
    DB_TYPE: postgresdb
    DB_POSTGRESDB_HOST: db.internal
    DB_POSTGRESDB_PASSWORD: not-to-be-printed
    EXECUTIONS_MODE: queue
    QUEUE_BULL_REDIS_HOST: redis
    ${common}
services:
  redis: { image: redis:7 }
  n8n: { <<: *n8n }
${services}`

describe('what n8n itself switches on is a value', () => {
  test.each([
    ['a certificate that is not verified', 'DB_POSTGRESDB_SSL_REJECT_UNAUTHORIZED: "false"', { verify: false }],
    ['an authority', 'DB_POSTGRESDB_SSL_CA: pem', { caSecret: { name: 'n8n-moved', key: 'DB_POSTGRESDB_SSL_CA' } }],
  ])('TLS, by %s alone', async (_, variable, tls) => {
    const { values } = await moved('compose', inQueueMode('  worker: { <<: *n8n, command: worker }', variable))
    expect(values).toMatchObject({ database: { tls: { enabled: true, ...tls } } })
  })

  test.each([
    ['', 'America/New_York', {}],
    ['GENERIC_TIMEZONE: Asia/Tokyo', 'Asia/Tokyo', {}],
    ['TZ: Asia/Tokyo', 'America/New_York', { role: { extraEnv: { TZ: 'Asia/Tokyo' } } }],
  ])('the time zone of schedules, also n8n’s own: %s', async (variable, timezone, more) => {
    const { values } = await moved('compose', inQueueMode('  worker: { <<: *n8n, command: worker }', variable))
    expect(values).toMatchObject({ timezone, ...more })
  })

  test.each([
    ['', { enabled: true }],
    ['N8N_DIAGNOSTICS_ENABLED: "false"', { enabled: false }],
  ])('telemetry, unless it is off: %s', async (variable, telemetry) => {
    const { values } = await moved('compose', inQueueMode('  worker: { <<: *n8n, command: worker }', variable))
    expect(values).toMatchObject({ telemetry })
  })
})

describe('services of Compose', () => {
  test('runners that are built here are left to the user, without an image that nobody named', async () => {
    const runner = '  runner: { build: ./runner, environment: { N8N_RUNNERS_TASK_BROKER_URI: "http://n8n:5679" } }'
    const { values, err } = await moved('compose', inQueueMode(`  worker: { <<: *n8n, command: worker }\n${runner}`))
    expect(values.runner).toEqual({ mode: 'external' })
    expect(err).toMatch(/name it in runner\.image\.repository\.\n {4}line \d+: services\.runner\.build/)
  })

  test('a folder that all of them share is a claim of every role', async () => {
    const shared = 'volumes: [n8n:/home/node/.n8n, "./shared:/data/shared:ro"]'
    const worker = `  worker: { <<: *n8n, command: worker, ${shared} }`
    const { values, err } = await moved(
      'compose',
      inQueueMode(worker).replace('n8n: { <<: *n8n }', `n8n: { <<: *n8n, ${shared} }`),
    )
    expect(values.role).toMatchObject({
      extraVolumes: [{ name: 'n8n-shared', persistentVolumeClaim: { claimName: 'n8n-shared' } }],
      extraVolumeMounts: [{ name: 'n8n-shared', mountPath: '/data/shared', readOnly: true }],
    })
    expect(err).toContain('Make the claim n8n-shared (ReadWriteMany')
  })

  test('a limit of executions on workers is their concurrency', async () => {
    const worker = '  worker: { <<: *n8n, command: worker --concurrency=7, environment: { <<: *env, '
    const limit = 'N8N_CONCURRENCY_PRODUCTION_LIMIT: "15" } }'
    const { values, err } = await moved('compose', inQueueMode(worker + limit))
    expect(values.worker).toMatchObject({ concurrency: 15 })
    expect(err).toContain('Without effect: N8N_CONCURRENCY_PRODUCTION_LIMIT goes before it.')
  })

  test('two kinds of workers together execute as many at once as before', async () => {
    const { values, err } = await moved(
      'compose',
      inQueueMode(`
  fast: { <<: *n8n, command: worker --concurrency=5, deploy: { replicas: 2 } }
  slow: { <<: *n8n, command: worker --concurrency=20, deploy: { replicas: 3 } }`),
    )
    expect(values.worker).toMatchObject({ replicas: 5, concurrency: 14 })
    expect(err).toContain('Workers of 2 × 5 and 3 × 20 executions become 5 × 14')
  })

  test('what one of two workers has alone is left to the user', async () => {
    const { err } = await moved(
      'compose',
      inQueueMode(`
  one: { <<: *n8n, command: worker, environment: { <<: *env, REGION: north } }
  two: { <<: *n8n, command: worker, environment: { <<: *env, REGION: south } }`),
    )
    expect(err).toMatch(
      /Left to you:[^]*Every worker has the same variables here[^]*services\.two\.environment\.REGION/,
    )
  })

  test('n8n’s folder may be elsewhere, and a service’s own variables go before those of its files', async () => {
    const elsewhere = 'N8N_USER_FOLDER: /data, A: own'
    const { values, err } = await moved(
      'compose',
      `services:
  n8n: { image: "n8nio/n8n:2.41.1", environment: { ${elsewhere} }, volumes: ["data:/data"] }`,
    )
    expect(values).toMatchObject({ persistence: { existingClaim: 'n8n-data' }, role: { extraEnv: { A: 'own' } } })
    expect(JSON.stringify(values)).not.toContain('/data')
    expect(err).toContain('n8n’s folder is n8n:/data/.n8n: copy that one.')
  })

  test('variables of main alone stay those of main', async () => {
    const { values } = await moved(
      'compose',
      inQueueMode('  worker: { <<: *n8n, command: worker }', 'SHARED: "1"').replace(
        'n8n: { <<: *n8n }',
        'n8n: { <<: *n8n, environment: { <<: *env, N8N_SECURE_COOKIE: "false" } }',
      ),
    )
    expect(values).toMatchObject({
      role: { extraEnv: expect.not.objectContaining({ N8N_SECURE_COOKIE: 'false' }) },
      main: { extraEnv: { N8N_SECURE_COOKIE: 'false' } },
    })
  })

  test('files that workflows keep go into the database in queue mode, and it is said', async () => {
    const { values, err } = await moved(
      'compose',
      inQueueMode('  worker: { <<: *n8n, command: worker }', 'N8N_DEFAULT_BINARY_DATA_MODE: filesystem'),
    )
    expect(JSON.stringify(values)).not.toContain('filesystem')
    expect(err).toContain('In queue mode new files of workflows go into the database')
  })
})

describe('what is left is counted', () => {
  test('also what no key says alone', async () => {
    const { err } = await moved('community', 'main: { count: 1 }', '2.41.1')
    expect(err).toMatch(/Left to you:\n[^\n]+\n {4}persistence\n/)
    expect(err).toMatch(/\n1 keys: [^\n]* 0 left to you\. With what follows from several keys, 1 left to you\.\n$/)
  })
})

test('a pod’s own variables go before what the community chart writes', async () => {
  const { values } = await moved('community', 'main: { extraEnvVars: { GENERIC_TIMEZONE: Europe/Rome } }', '2.41.1')
  expect(values).toMatchObject({ timezone: 'Europe/Rome' })
})

test('a host that only Docker’s networks know is left to the user', async () => {
  const { err } = await moved(
    'compose',
    inQueueMode('  worker: { <<: *n8n, command: worker }').replace('db.internal', 'pg'),
  )
  expect(err).toMatch(/Left to you:[^]*It is a name in a network of Docker[^\n]*\n {4}database\.host/)
})

test('a --tag other than theirs is said', async () => {
  const { values, err } = await moved(
    'official',
    'queueMode: { enabled: false }\ndatabase: { useExternal: false }\nimage: { tag: 2.40.0 }\n',
    '2.41.1',
  )
  expect(values).toMatchObject({ image: { tag: '2.41.1' } })
  expect(err).toContain('The values say 2.40.0. --tag says that n8n 2.41.1 runs there, and goes before it.')
})

describe('what an operator renews stays a reference', () => {
  const database = (env: string, more = '') => `
main:
  config: { db: { type: postgresdb, postgresdb: { host: db } } }
  extraEnv: { DB_POSTGRESDB_PASSWORD: { valueFrom: { secretKeyRef: { name: app, key: password } } }, ${env} }
  ${more}`
  const mounted = (volume: string) =>
    `extraVolumes: [{ name: ca, ${volume} }]\n  extraVolumeMounts: [{ name: ca, mountPath: /certs }]`

  test.each([
    ['a file of a Secret', 'secret: { secretName: pg-ca }', { caSecret: { name: 'pg-ca', key: 'ca.crt' } }],
    [
      'a file of a Secret under another name',
      'secret: { secretName: pg-ca, items: [{ key: root, path: ca.crt }] }',
      { caSecret: { name: 'pg-ca', key: 'root' } },
    ],
  ])('%s', async (_, volume, tls) => {
    const env = 'DB_POSTGRESDB_SSL_CA_FILE: { value: /certs/ca.crt }'
    const { values } = await moved('8gears', database(env, mounted(volume)), '2.41.1')
    expect(values).toMatchObject({ database: { tls: { enabled: true, ...tls } } })
  })

  test('a file of a ConfigMap', async () => {
    const env = 'DB_POSTGRESDB_SSL_CA_FILE: { value: /certs/ca.crt }'
    const { values } = await moved('8gears', database(env, mounted('configMap: { name: trust }')), '2.41.1')
    expect(values).toMatchObject({
      main: { extraEnv: { DB_POSTGRESDB_SSL_CA_FILE: '/certs/ca.crt' } },
      database: { tls: { enabled: true } },
    })
  })

  test('a variable from a ConfigMap', async () => {
    const from = { valueFrom: { configMapKeyRef: { name: 'trust', key: 'bundle' } } }
    const { values } = await moved('8gears', database(`DB_POSTGRESDB_SSL_CA: ${JSON.stringify(from)}`), '2.41.1')
    expect(values).toMatchObject({
      main: { extraEnv: { DB_POSTGRESDB_SSL_CA: from } },
      database: { tls: { enabled: true } },
    })
  })
})

test('queue mode of 8gears without workers gets one, which is said', async () => {
  const { values, err } = await moved(
    '8gears',
    `
main:
  config:
    executions: { mode: queue }
    db: { type: postgresdb, postgresdb: { host: db } }
    queue: { bull: { redis: { host: redis } } }
  secret: { db: { postgresdb: { password: not-to-be-printed } } }
`,
    '2.41.1',
  )
  expect(values).toMatchObject({ worker: { replicas: 1 } })
  expect(err).toContain('They deploy no worker')
})
