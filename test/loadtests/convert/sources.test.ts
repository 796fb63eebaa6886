import { converted, pathsOf } from './converting.ts'

describe('the official chart', () => {
  const queue = converted('official', 'official-queue.yaml')
  const { values, secrets, changes } = queue

  test('queue mode has its roles, their numbers and their placement', () => {
    expect(values).toMatchObject({
      executions: { mode: 'queue' },
      worker: { replicas: 3, nodeSelector: { pool: 'workers' }, autoscaling: { by: 'cpu', min: 3, max: 20 } },
      webhook: { replicas: 2 },
    })
  })

  test('n8n’s limit of executions is the worker’s concurrency, over the one it was started with', () => {
    expect(values).toMatchObject({ worker: { concurrency: 15 } })
    expect(values).not.toHaveProperty('role.extraEnv.N8N_CONCURRENCY_PRODUCTION_LIMIT')
  })

  test('Secrets that the user made are named', () => {
    expect(values).toMatchObject({
      encryptionKey: { existingSecret: { name: 'n8n-core-secrets', key: 'N8N_ENCRYPTION_KEY' } },
      database: { password: { existingSecret: { name: 'n8n-db', key: 'pw' } } },
      redis: { password: { existingSecret: { name: 'n8n-redis', key: 'pw' } } },
      runner: { token: { existingSecret: { name: 'runners', key: 'token' } } },
    })
  })

  test('secrets in text are read from the environment into the moved Secret', () => {
    expect(Object.fromEntries(secrets)).toEqual({
      N8N_SMTP_PASS: 'environment',
      N8N_LICENSE_ACTIVATION_KEY: 'environment',
    })
    expect(values).toMatchObject({
      license: { existingSecret: { name: 'n8n-moved', key: 'N8N_LICENSE_ACTIVATION_KEY' } },
    })
  })

  test('memory in which n8n has no heap is the chart’s', () => {
    expect(values).toMatchObject({ main: { resources: { limits: { cpu: '1' } } } })
    expect(values).not.toHaveProperty('main.resources.limits.memory')
    expect(changes).toContainEqual(expect.objectContaining({ path: 'resources.main.limits.memory' }))
  })

  test('no limit of CPU appears that was not there; one of memory does, which is said', () => {
    const { limits, requests } = (values.worker as { resources: Record<string, unknown> }).resources
    expect({ limits, requests }).toEqual({
      limits: { cpu: null, memory: '2Gi' },
      requests: { cpu: '1500m', memory: '2Gi' },
    })
    expect(changes).toContainEqual({
      path: 'resources.worker.requests.memory',
      text: expect.stringContaining('It had no limit'),
    })
  })

  test('several hosts are one ingress, and its URLs are https whoever ends TLS', () => {
    expect(values).toMatchObject({
      ingress: { host: 'n8n.example.com', extraHosts: ['hooks.example.com'], tls: { atBalancer: true } },
    })
  })

  test('a heap of their own gives way to the one that follows from the limit', () => {
    expect(values).toMatchObject({ role: { extraEnv: { NODE_OPTIONS: '--no-warnings' } } })
  })

  test('queue mode runs manual executions on workers, as theirs does', () => {
    expect(values).toMatchObject({ role: { extraEnv: { OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' } } })
  })

  test('queue mode is its default, without webhook processors', () => {
    expect(converted('official', {}).values).toMatchObject({ executions: { mode: 'queue' }, webhook: { replicas: 0 } })
  })

  test('one n8n with SQLite keeps its claim and its key', () => {
    const alone = converted('official', 'official-standalone.yaml')
    expect(alone.values).toMatchObject({
      executions: { mode: 'regular' },
      database: { type: 'sqlite' },
      persistence: { existingClaim: 'n8n' },
    })
    expect([...alone.secrets.keys()]).toEqual(['N8N_ENCRYPTION_KEY'])
    expect(alone.values).toMatchObject({ publicUrl: 'https://n8n.example.com/' })
  })

  test('KEDA scales on the queue', () => {
    const scaled = converted('official', {
      keda: { enabled: true, worker: { minReplicaCount: 1, maxReplicaCount: 4 } },
    })
    expect(scaled.values).toMatchObject({ worker: { autoscaling: { by: 'queue', min: 1, max: 4 } } })
  })
})

describe('the community chart', () => {
  test('n8n’s folder in a folder of the volume is found again', () => {
    const { values } = converted('community', 'community-sqlite.yaml')
    expect(values).toMatchObject({ persistence: { existingClaim: 'n8n-main-persistence', subPath: '.n8n' } })
  })

  test('its variables are in capitals', () => {
    expect(converted('community', 'community-sqlite.yaml').values).toMatchObject({
      main: { extraEnv: { N8N_SECURE_COOKIE: 'false' } },
    })
  })

  test('the claim of a StatefulSet is that of its first pod', () => {
    const { values } = converted('community', { main: { forceToUseStatefulset: true, persistence: { enabled: true } } })
    expect(values).toMatchObject({ persistence: { existingClaim: 'node-modules-n8n-0' } })
  })

  test('its own PostgreSQL is an external one, until a dump of it is restored', () => {
    const queue = converted('community', 'community-queue.yaml')
    const { values, secrets } = queue
    expect(values).toMatchObject({
      database: { type: 'external', host: 'n8n-postgresql', name: 'automation', user: 'n8n' },
    })
    expect(pathsOf(queue, 'refused')).toContain('postgresql')
    expect([...secrets.keys()]).toEqual(['N8N_ENCRYPTION_KEY', 'DB_POSTGRESDB_PASSWORD'])
  })

  test('a Redis Cluster is asked by its nodes alone', () => {
    const { values } = converted('community', 'community-external.yaml')
    expect(values).toMatchObject({
      redis: { type: 'external', clusterNodes: ['redis-1:6379', 'redis-2:6379'] },
      webhook: { replicas: 0 },
    })
    expect(values).not.toHaveProperty('redis.host')
  })

  test('community nodes with a version are fetched by the chart, other packages are left to the user', () => {
    const sqlite = converted('community', 'community-sqlite.yaml')
    const { values } = sqlite
    expect(values).toMatchObject({ communityNodes: { packages: ['n8n-nodes-example@1.0.0'] } })
    expect(values).toMatchObject({ runner: { javascript: { builtin: 'crypto,fs' } } })
    expect(pathsOf(sqlite, 'refused')).toEqual(['nodes.external.packages[1]'])
  })

  test('certificate and key of the client are one Secret', () => {
    const ssl = (key: string) => ({
      enabled: true,
      existingCertFileSecret: { name: 'own', key: 'tls.crt' },
      existingPrivateKeyFileSecret: { name: key, key: 'tls.key' },
    })
    const of = (key: string) => converted('community', { db: { type: 'postgresdb', postgresdb: { ssl: ssl(key) } } })
    const clientSecret = { name: 'own', certificate: 'tls.crt', privateKey: 'tls.key' }
    expect(of('own').values).toMatchObject({ database: { tls: { clientSecret } } })
    expect(pathsOf(of('other'), 'refused')).toEqual([
      'db.postgresdb.ssl.existingCertFileSecret',
      'db.postgresdb.ssl.existingPrivateKeyFileSecret',
    ])
  })

  test('a pool of connections that was raised is as large here', () => {
    const pool = (poolSize: number) =>
      converted('community', {
        db: { type: 'postgresdb', postgresdb: { poolSize } },
        externalPostgresql: { host: 'db', existingSecret: 'db-app' },
      }).values
    expect(pool(8)).toMatchObject({ database: { poolSize: 8 } })
    expect(pool(2)).not.toHaveProperty('database.poolSize')
  })

  test('times are Berlin’s unless it says otherwise', () => {
    expect(converted('community', {}).values).toMatchObject({ timezone: 'Europe/Berlin' })
    expect(converted('community', { timezone: 'UTC' }).values).toMatchObject({ timezone: 'UTC' })
  })
})

describe('8gears', () => {
  test('its trees are n8n’s variables: values where we have them', () => {
    const { values } = converted('8gears', '8gears-queue.yaml')
    expect(values).toMatchObject({
      executions: { mode: 'queue' },
      database: {
        type: 'external',
        host: 'db-rw',
        poolSize: 4,
        tls: { enabled: true, verify: true },
        password: { existingSecret: { name: 'db-app' } },
      },
      worker: { replicas: 2, concurrency: 8 },
      webhook: { replicas: 0 },
    })
    expect(converted('8gears', '8gears-small.yaml').values).toMatchObject({
      role: { extraEnv: { N8N_HIDE_USAGE_PAGE: true } },
      logLevel: 'info',
    })
  })

  test('what is among its secrets is secret, whatever its name', () => {
    const { secrets, values } = converted('8gears', { main: { secret: { mine: { harmless: 'text' } } } })
    expect([...secrets.keys()]).toEqual(['MINE_HARMLESS'])
    expect(JSON.stringify(values)).not.toContain('text')
  })

  test('n8n’s own key stays in the volume with SQLite, and is read from there for PostgreSQL', () => {
    expect(converted('8gears', '8gears-small.yaml').secrets.size).toBe(0)
    const { secrets } = converted('8gears', {
      main: { config: { db: { type: 'postgresdb', postgresdb: { host: 'db' } } } },
    })
    expect(Object.fromEntries(secrets)).toEqual({ N8N_ENCRYPTION_KEY: 'folder' })
  })
})

describe('Docker Compose', () => {
  test('services of n8n’s image are roles by what they run', () => {
    const { values } = converted('compose', 'compose-queue.yaml')
    expect(values).toMatchObject({
      executions: { mode: 'queue' },
      worker: { replicas: 3, concurrency: 5, resources: { limits: { cpu: '2', memory: '2Gi' } } },
      webhook: { replicas: 0 },
    })
  })

  test('main keeps its volume in queue mode', () => {
    const { values } = converted('compose', 'compose-queue.yaml')
    expect(values).toMatchObject({ persistence: { existingClaim: 'n8n-data', inQueueMode: true } })
  })

  test('its database and Redis are not in the cluster', () => {
    const queue = converted('compose', 'compose-queue.yaml')
    expect(pathsOf(queue, 'refused')).toContain('database.host')
    expect(queue.values).not.toHaveProperty('redis')
  })

  test('a folder beside n8n’s is a claim, which the user makes', () => {
    const sqlite = converted('compose', 'compose-sqlite.yaml')
    const { values } = sqlite
    expect(values).toMatchObject({
      persistence: { existingClaim: 'n8n-data' },
      role: {
        extraVolumes: [{ name: 'n8n-files', persistentVolumeClaim: { claimName: 'n8n-files' } }],
        extraVolumeMounts: [{ name: 'n8n-files', mountPath: '/files' }],
      },
    })
    expect(pathsOf(sqlite, 'refused')).toEqual(['role.extraVolumes'])
  })
})
