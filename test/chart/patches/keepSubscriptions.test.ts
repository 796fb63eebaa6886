import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eachWay } from '../../support/each-way.ts'
import { startRedis, type RedisServer } from '../../support/redis.ts'

/** docs/n8n-loses.md: how n8n's Redis client loses what it had subscribed to. */

let redis: RedisServer
beforeAll(async () => void (redis = await startRedis()))
afterAll(() => redis.stop())

const support = (file: string) => JSON.stringify(join(import.meta.dirname, '../../', file))

/** Whether n8n's own client, with the options that n8n gives it, hears of a message after each kind of break. */
const hearing = (port: number) => `
  const Redis = require('ioredis')
  const { once } = require('node:events')
  const main = async () => {
    const { wayTo } = await import(${support('support/way.ts')})
    const { until } = await import(${support('../loadtests/src/lib/await.ts')})
    const way = await wayTo(${port})
    const publisher = new Redis({ port: ${port} })
    const client = new Redis({
      port: way.port,
      enableReadyCheck: false,
      maxRetriesPerRequest: null,
      retryStrategy: () => 50,
    })
    // When it subscribes again by itself and is refused, n8n logs a rejection that no code handles.
    const refusals = []
    process.on('unhandledRejection', ({ message }) => refusals.push(message))
    const errors = []
    client.on('error', ({ message }) => errors.push(message))
    await client.subscribe('bull:jobs:completed')
    const patient = { timeout: 3000, every: 50 }
    const isHeard = async () => (await publisher.publish('bull:jobs:completed', '{}')) === 1
    const hears = async () => (await until(isHeard, patient)) === true

    way.cut()
    const afterACut = await hears()

    way.leadTo((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\\r\\n\\r\\n')))
    way.cut()
    await until(async () => errors.some((message) => message.startsWith('Protocol error')), patient)
    way.leadBack()
    await once(client, 'ready')
    const afterAStranger = await hears()

    // Redis ends the connections of subscribers who may subscribe no more.
    await client.subscribe('bull:jobs:completed')
    await publisher.call('ACL', 'SETUSER', 'default', 'resetchannels')
    await until(async () => refusals.some((message) => message.startsWith('NOPERM')), patient)
    await publisher.call('ACL', 'SETUSER', 'default', 'allchannels')
    const afterARefusal = await hears()
    console.log(JSON.stringify({ afterACut, afterAStranger, afterARefusal }))
    process.exit()
  }
  main()`

test.each(['2.41.1', '1.123.81'])(
  'on n8n %s a client subscribes again after a cut, and with the patch after an answer in HTTP or a refusal, too',
  (version) => {
    const { plain, patched } = eachWay(version, 'keepSubscriptions', hearing(redis.port))
    expect(plain).toEqual({ afterACut: true, afterAStranger: false, afterARefusal: false })
    expect(patched).toEqual({ afterACut: true, afterAStranger: true, afterARefusal: true })
  },
)
