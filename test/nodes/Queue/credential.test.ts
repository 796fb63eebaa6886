import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { IDataObject } from 'n8n-workflow'
import { clusterClients, openBull } from '../../support/bull.ts'
import { makeCertificates, startCluster, startRedis, startSentinel, type RedisServer } from '../../support/redis.ts'
import { isLine0 } from '../../support/runtime.ts'
import { onEachLine } from '../lines.ts'

let redis: RedisServer
let secure: RedisServer
let sentinel: RedisServer
let secureSentinel: RedisServer
let cluster: Awaited<ReturnType<typeof startCluster>>
let certificates: string
let ca: string
beforeAll(async () => {
  certificates = await makeCertificates()
  ca = await readFile(join(certificates, 'ca.crt'), 'utf8')
  redis = await startRedis()
  secure = await startRedis({ tls: certificates })
  sentinel = await startSentinel(redis)
  secureSentinel = await startSentinel(secure, certificates)
  cluster = await startCluster()
  for (const one of [redis, secure, ...cluster.servers])
    await one.run('ACL', 'SETUSER', 'reader', 'on', '>secret', 'allkeys', 'allcommands')
}, 300_000)
afterAll(async () => {
  await Promise.all([redis, secure, sentinel, secureSentinel, cluster].map((one) => one.stop()))
  await rm(certificates, { recursive: true })
})

/** Each way to connect, as the dialog's fields say it. */
const ways: [string, () => IDataObject][] = [
  ['a server', () => ({ connection: 'server', host: '127.0.0.1', port: redis.port })],
  [
    'a server with TLS and an authority of its own',
    () => ({
      connection: 'server',
      host: '127.0.0.1',
      port: secure.port,
      ssl: true,
      tlsCa: ca,
      tlsServerName: 'redis.test',
    }),
  ],
  ['a cluster', () => ({ connection: 'cluster', clusterNodes: cluster.nodes })],
  ['Sentinel', () => ({ connection: 'sentinel', sentinels: `127.0.0.1:1,127.0.0.1:${sentinel.port}` })],
  [
    'Sentinel with TLS',
    () => ({
      connection: 'sentinel',
      sentinels: `127.0.0.1:${secureSentinel.port}`,
      ssl: true,
      tlsCa: ca,
      tlsServerName: 'redis.test',
    }),
  ],
]

onEachLine((core, version) => {
  const tried = (data: IDataObject) => core().testCredential('n8nQueueRedis', data)

  test('n8n loads the credential, with the icon of the queue', () => {
    expect(core().credentials.n8nQueueRedis).toMatchObject({
      displayName: 'n8n Queue Redis',
      iconUrl: 'icons/n8n-nodes-tuned/dist/nodes/Queue/queue.svg',
    })
  })

  test('the node announces its test, but not to n8n 0.x, which would call the credential broken', () => {
    const { credentials } = core().descriptions.queue
    expect(credentials).toMatchObject([
      { name: 'redis' },
      { name: 'n8nQueueRedis', ...(!isLine0(version) && { testedBy: 'connectToQueue' }) },
    ])
    expect('testedBy' in credentials![1]!).toBe(!isLine0(version))
  })

  describe.each(ways)('%s', (_, way) => {
    test('its test connects', async () => {
      expect(await tried({ ...way(), user: 'reader', password: 'secret' })).toEqual({
        status: 'OK',
        message: expect.stringMatching(/^Connected: \d+ waiting, \d+ active$/),
      })
    })

    test('its test says so of a wrong password', async () => {
      expect(await tried({ ...way(), user: 'reader', password: 'other' })).toEqual({
        status: 'Error',
        message: expect.stringMatching(/^Wrong password, or wrong user: .*127\.0\.0\.1:\d+ refused them \(WRONGPASS/),
      })
    })
  })

  const broken: [string, () => IDataObject, RegExp][] = [
    ['an address where nobody listens', () => ({ host: '127.0.0.1', port: 1 }), /127\.0\.0\.1:1 .*ECONNREFUSED/],
    ['an authority that did not sign', () => ({ host: '127.0.0.1', port: secure.port, ssl: true }), /certificate/],
    ['a cluster without addresses', () => ({ connection: 'cluster', clusterNodes: '' }), /^Expected Cluster Nodes/],
    [
      'Sentinels that are not there',
      () => ({ connection: 'sentinel', sentinels: '127.0.0.1:1' }),
      /^Expected master mymaster of the Sentinels at 127\.0\.0\.1:1 to answer, got: nobody listens there/,
    ],
    [
      'a master that Sentinel does not know',
      () => ({ connection: 'sentinel', sentinels: `127.0.0.1:${sentinel.port}`, masterName: 'other' }),
      /^Expected master other of .* got: ERR No such master with that name$/,
    ],
  ]
  test.each(broken)('its test says what is wrong: %s', async (_, data, message) => {
    expect(await tried(data())).toEqual({ status: 'Error', message: expect.stringMatching(message) })
  })

  const counts = async (data: IDataObject) => {
    const { items, error } = await core().run({
      node: 'queue',
      parameters: { operation: 'counts' },
      settings: { typeVersion: 2 },
      credentials: { n8nQueueRedis: data },
    })
    return error?.message ?? items![0]!.json
  }

  test('the node reads with it, under its prefix and the name of its queue', async () => {
    await redis.run('FLUSHALL')
    const bull = openBull(version, { redis: { port: redis.port, host: '127.0.0.1' }, prefix: 'team' }, 'jobs-heavy')
    await bull.add('job', {})
    const at = { connection: 'sentinel', sentinels: `127.0.0.1:${sentinel.port}` }
    expect(await counts({ ...at, prefix: 'team', queueName: 'jobs-heavy' })).toMatchObject({ waiting: 1 })
    expect(await counts({ ...at, database: 3, prefix: 'team', queueName: 'jobs-heavy' })).toMatchObject({ waiting: 0 })
    await bull.close(true)
  })

  test('the node reads a cluster with it', async () => {
    const { createClient, close } = clusterClients(version, cluster.nodes)
    const bull = openBull(version, { prefix: '{bull}', createClient })
    const job = await bull.add('job', { executionId: '9' }, { delay: 1e6 })
    expect(await counts({ connection: 'cluster', clusterNodes: cluster.nodes })).toMatchObject({ delayed: 1 })
    await job.remove()
    await bull.close(true)
    close()
  })

  test('the trigger starts with it', async () => {
    await redis.run('LPUSH', 'bull:jobs:wait', '1', '2')
    const watch = await core().activate({
      node: 'queuePressureTrigger',
      parameters: { capacityIs: 'fixed', capacity: 1, over: 1, overSeconds: 0, everySeconds: 0.1 },
      settings: { typeVersion: 2 },
      credentials: { n8nQueueRedis: { connection: 'server', host: '127.0.0.1', port: redis.port } },
    })
    await watch.deactivate()
  })
})
