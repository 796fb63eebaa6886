import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { status, until } from '../../loadtests/src/lib/await.ts'
import { freePorts } from '../../loadtests/src/lib/ports.ts'
import { chartScript } from '../support/chart-script.ts'
import { startRedis, type RedisServer } from '../support/redis.ts'
import { runtime } from '../support/runtime.ts'

/** The sidecar that answers a worker's liveness probe, beside a real Redis; n8n's own answer is a server's of ours. */

let redis: RedisServer
let n8n: Server
let sidecar: ChildProcess
let url: string
let health = 200
beforeAll(async () => {
  redis = await startRedis()
  n8n = createServer((_, answer) => answer.writeHead(health).end())
  await once(n8n.listen(0, '127.0.0.1'), 'listening')
  const [port] = (await freePorts(1)) as [number]
  const { node, folder } = runtime('2.41.1')
  sidecar = spawn(node, ['-e', chartScript('database.js', 'redis.js', 'progress.js')], {
    env: {
      PATH: `${join(folder, 'node_modules/.bin')}:/usr/bin:/bin`,
      QUEUE_BULL_PREFIX: 'bull',
      QUEUE_BULL_REDIS_HOST: '127.0.0.1',
      QUEUE_BULL_REDIS_PORT: String(redis.port),
      N8N_PORT_OF_WORKER: String((n8n.address() as AddressInfo).port),
      PROGRESS_PORT: String(port),
      STANDS_SECONDS: '5',
    },
    stdio: 'inherit',
  })
  url = `http://127.0.0.1:${port}/healthz`
  await answers(200)
}, 300_000)
beforeEach(async () => {
  health = 200
  await redis.run('FLUSHALL')
  await answers(200)
})
afterAll(async () => {
  sidecar.kill()
  n8n.close()
  await redis.stop()
})

const answers = async (expected: number) =>
  expect(await until(async () => (await status(url)) === expected, { timeout: 20_000, every: 200 })).toBe(true)

/** Every 200 ms, for longer than the queue may stand. */
async function staysAlive(meanwhile: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + 9000
  while (Date.now() < end) {
    await meanwhile()
    expect(await status(url)).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

test('a queue that stands is not alive, until a worker takes an execution', async () => {
  await redis.run('LPUSH', 'bull:jobs:wait', '1', '2')
  await answers(503)
  await redis.run('RPOPLPUSH', 'bull:jobs:wait', 'bull:jobs:active')
  await answers(200)
}, 300_000)

test('a worker that executes is alive, however long others wait', async () => {
  await redis.run('LPUSH', 'bull:jobs:active', '1')
  await redis.run('LPUSH', 'bull:jobs:wait', '2')
  await staysAlive(async () => {})
}, 300_000)

test('a worker that is about to take an execution is alive', async () => {
  await redis.run('LPUSH', 'bull:jobs:claiming', '1')
  await redis.run('LPUSH', 'bull:jobs:wait', '2')
  await staysAlive(async () => {})
}, 300_000)

test('a queue that moves is alive, also where no worker has an execution at the moment', async () => {
  let next = 1
  await redis.run('LPUSH', 'bull:jobs:wait', next)
  await staysAlive(async () => {
    await redis.run('LPUSH', 'bull:jobs:wait', ++next)
    await redis.run('RPOP', 'bull:jobs:wait')
  })
}, 300_000)

test('without an answer of Redis, n8n’s own answer counts', async () => {
  await redis.run('LPUSH', 'bull:jobs:wait', '1')
  redis.freeze()
  try {
    await staysAlive(async () => {})
  } finally {
    redis.thaw()
  }
}, 300_000)

test('an n8n that is not alive is passed on', async () => {
  health = 500
  await answers(500)
})
