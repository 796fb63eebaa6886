import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { until } from '../../../loadtests/src/lib/await.ts'
import { clusterClients, openBull } from '../../support/bull.ts'
import { makeCertificates, startCluster, startRedis, type RedisServer } from '../../support/redis.ts'
import { onEachLine } from '../lines.ts'

let redis: RedisServer
let secure: RedisServer
let cluster: Awaited<ReturnType<typeof startCluster>>
let certificates: string
beforeAll(async () => {
  certificates = await makeCertificates()
  redis = await startRedis()
  secure = await startRedis({ tls: certificates })
  cluster = await startCluster()
  // May do what the nodes need, and nothing that changes anything.
  await redis.run(
    'ACL',
    'SETUSER',
    'reader',
    'on',
    '>secret',
    '~bull:jobs:*',
    '+@read',
    '+multi',
    '+exec',
    '+ping',
    '+select',
    '+client|list',
  )
  await redis.run('ACL', 'SETUSER', 'poor', 'on', '>secret', '~bull:jobs:*', '+@read', '+multi', '+exec', '+ping')
}, 300_000)
afterAll(async () => {
  await Promise.all([redis.stop(), secure.stop(), cluster.stop()])
  await rm(certificates, { recursive: true })
})

onEachLine((core, version) => {
  const look = (credential: object, settings = {}, operation = 'counts', node: object = {}) =>
    core().run({
      node: 'queue',
      parameters: { operation, settings },
      credentials: { redis: { host: '127.0.0.1', port: redis.port, ...credential } },
      ...node,
    })
  const counts = async (...args: Parameters<typeof look>) => {
    const { items, error } = await look(...args)
    return error?.message ?? items![0]!.json
  }

  test('reads with rights to read, and changes nothing', async () => {
    await redis.run('FLUSHALL')
    const bull = openBull(version, { redis: { port: redis.port, host: '127.0.0.1' } })
    await bull.add('job', { executionId: '1' }, { priority: 100 })
    await bull.add('job', { executionId: '2' }, { delay: 1e6 })
    await bull.getNextJob()
    const dump = async () => {
      const keys = ((await redis.run('KEYS', '*')) as string[]).sort()
      return Promise.all(
        keys.map(async (key) => [
          key,
          await redis.run('DUMP', key),
          key.endsWith(':lock') ? 0 : await redis.run('PTTL', key),
        ]),
      )
    }
    const before = await dump()
    const seen = await counts({ user: 'reader', password: 'secret' }, {}, 'overview')
    expect(seen).toMatchObject({ waiting: 0, active: 1, delayed: 1, added: 2, stalled: 0, workers: 0 })
    expect(await dump()).toEqual(before)
    await bull.close(true)
  })

  test('takes the user from the settings where the credential has none, as in n8n 0.x', async () => {
    expect(await counts({ password: 'secret' }, { user: 'reader' })).toMatchObject({ added: 2 })
  })

  test('reads another database', async () => {
    const bull = openBull(version, { redis: { port: redis.port, host: '127.0.0.1', db: 3 } })
    await bull.add('job', {})
    expect(await counts({ database: 3 })).toMatchObject({ waiting: 1, added: 1 })
    expect(await counts({ database: 4 })).toMatchObject({ waiting: 0, added: 0 })
    await bull.close(true)
  })

  test('reads under another prefix and name; an empty prefix is Bull’s own', async () => {
    const mine = openBull(version, { redis: { port: redis.port, host: '127.0.0.1' }, prefix: 'team' }, 'jobs-heavy')
    await mine.add('job', {})
    expect(await counts({}, { prefix: 'team', queueName: 'jobs-heavy' })).toMatchObject({ waiting: 1 })
    expect(await counts({}, { prefix: '' })).toMatchObject({ added: 2 })
    await mine.close(true)
  })

  test('reads over TLS, with the certificate checked by its name and its maker', async () => {
    const bull = openBull(version, {
      redis: { port: secure.port, host: '127.0.0.1', tls: { rejectUnauthorized: false } },
    })
    await bull.add('job', {})
    const ca = await readFile(join(certificates, 'ca.crt'), 'utf8')
    const at = { port: secure.port, ssl: true }
    expect(await counts(at, { tlsCa: ca, tlsServerName: 'redis.test' })).toMatchObject({ waiting: expect.any(Number) })
    expect(await counts({ ...at, disableTlsVerification: true })).toMatchObject({ waiting: expect.any(Number) })
    expect(await counts({ port: secure.port }, { tls: true, tlsCa: ca, tlsServerName: 'redis.test' })).toMatchObject({
      waiting: expect.any(Number),
    })
    expect(await counts(at)).toMatch(/^Expected Redis at 127\.0\.0\.1:\d+ to answer, got: .*certificate/)
    expect(await counts(at, { tlsCa: ca, tlsServerName: 'other.test' })).toMatch(/does not match certificate/)
    await bull.close(true)
  })

  test('reads a cluster, whose workers are connected to any of its servers', async () => {
    const { createClient, close } = clusterClients(version, cluster.nodes)
    const options = { prefix: '{bull}', createClient }
    const bull = openBull(version, options)
    const job = await bull.add('job', { executionId: '9' }, { delay: 1e6 })
    const worker = openBull(version, options)
    void worker.process('job', 1, async () => {})
    const overview = () => counts({ host: 'unused', port: 1 }, { clusterNodes: cluster.nodes }, 'overview')
    const isConnected = async () => Number(((await overview()) as { workers: number }).workers) === 1
    expect(await until(isConnected, { timeout: 30_000, every: 100 })).toBe(true)
    expect(await overview()).toMatchObject({ waiting: 0, delayed: 1, workers: 1, stalled: 0 })
    await job.remove()
    await Promise.all([bull.close(true), worker.close(true)])
    close()
  })

  const wrong: [string, object, object, RegExp][] = [
    ['nobody at the port', { port: 1 }, {}, /^Expected Redis at 127\.0\.0\.1:1 to answer, got: connect ECONNREFUSED/],
    [
      'a wrong password',
      { user: 'reader', password: 'x' },
      {},
      /^Wrong password, or wrong user: Redis at 127\.0\.0\.1:\d+ refused them \(WRONGPASS/,
    ],
    ['a database that is not there', { database: 99 }, {}, /to answer, got: ERR DB index is out of range/],
    ['a prefix the user may not read', { user: 'reader', password: 'secret' }, { prefix: 'x' }, /NOPERM/],
    [
      'cluster nodes without a port',
      {},
      { clusterNodes: 'redis' },
      /^Expected Cluster Nodes to be like host:port,host:port, got "redis"$/,
    ],
    [
      'a server that is no cluster',
      {},
      { clusterNodes: '127.0.0.1:1' },
      /^Expected Redis at 127\.0\.0\.1:1 to answer, got: /,
    ],
  ]
  test.each(wrong)(
    'says so: %s',
    async (_, credential, settings, message) => {
      const { error } = await look(credential, settings)
      expect(error).toMatchObject({
        name: 'NodeOperationError',
        itemIndex: 0,
        node: 'n8n Queue',
        message: expect.stringMatching(message),
      })
    },
    20_000,
  )

  test('says which right is missing to list workers', async () => {
    expect(await counts({ user: 'poor', password: 'secret' }, {}, 'workers')).toMatch(/NOPERM/)
  })

  test('refuses an unknown operation', async () => {
    expect(await counts({}, {}, 'guess')).toBe(
      'Expected Operation to be one of counts, stalled, oldest, overview, jobs, workers, throughput, got "guess"',
    )
  })

  test('reads once for each item, and goes on after a failure where the node is set to', async () => {
    const { items, error } = await core().run({
      node: 'queue',
      parameters: { operation: 'counts', settings: { clusterNodes: '={{ $json.nodes }}' } },
      items: [{ nodes: '' }, { nodes: 'x' }, { nodes: '' }],
      credentials: { redis: { host: '127.0.0.1', port: redis.port } },
      settings: { continueOnFail: true },
    })
    expect(error).toBeUndefined()
    expect(items).toMatchObject([
      { json: { added: 2 }, pairedItem: { item: 0 } },
      { json: { error: expect.stringMatching(/^Expected Cluster Nodes/) }, pairedItem: { item: 1 } },
      { json: { added: 2 }, pairedItem: { item: 2 } },
    ])
  })
})
