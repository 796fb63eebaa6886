import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Redis } from 'ioredis'
import { until } from '../../loadtests/src/support/await.ts'
import { startRedis, type RedisServer } from '../support/redis.ts'
import { runtime } from '../support/runtime.ts'
import { wayTo } from '../support/way.ts'

/** docs/resilience.md, "What n8n leaves to you": how n8n's Redis client loses what it had subscribed to. */

let redis: RedisServer
beforeAll(async () => void (redis = await startRedis()))
afterAll(() => redis.stop())

/** As an HTTP server does. */
const answerInHttp = (client: Socket) => void client.once('data', () => client.end('HTTP/1.1 400 Bad Request\r\n\r\n'))

/** n8n's own client, with the options that n8n gives it. */
async function subscriber(port: number): Promise<Redis> {
  const Client = createRequire(runtime('2.41.1').n8n)('ioredis')
  const client: Redis = new Client({
    port,
    enableReadyCheck: false,
    maxRetriesPerRequest: null,
    retryStrategy: () => 50,
  })
  client.on('error', () => {})
  await client.subscribe('bull:jobs:completed')
  // When it subscribes again by itself and is refused, n8n logs a rejection that no code handles.
  const subscribe = client.subscribe.bind(client)
  client.subscribe = (...channels: any[]) => subscribe(...channels).catch(() => 0)
  return client
}

const heard = () => redis.run('PUBLISH', 'bull:jobs:completed', '{}')
const patient = { timeout: 10_000, every: 50 }

test('a connection that was cut subscribes again', async () => {
  const to = await wayTo(redis.port)
  const client = await subscriber(to.port)
  to.cut()
  expect(await until(async () => (await heard()) === 1, patient)).toBe(true)
  client.disconnect()
  await once(client, 'end')
  to.close()
})

test('an answer that is not from Redis, and the client never subscribes again', async () => {
  const to = await wayTo(redis.port)
  const client = await subscriber(to.port)
  to.leadTo(answerInHttp)
  const errors: string[] = []
  client.on('error', ({ message }) => errors.push(message))
  to.cut()
  await until(async () => errors.some((message) => message.startsWith('Protocol error')), patient)
  to.leadBack()
  await once(client, 'ready')
  // Redis takes commands of one connection in order, so an answer to this one comes after those to earlier ones.
  expect(await client.ping()).toBe('PONG')
  expect(await heard()).toBe(0)
  client.disconnect()
  to.close()
})
