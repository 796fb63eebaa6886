import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { until } from '../../loadtests/src/support/await.ts'
import { startRedis, type RedisServer } from '../support/redis.ts'
import { runtime } from '../support/runtime.ts'

/** docs/n8n-loses.md: an execution that waits in Redis while Redis loses its data. */

interface Job {
  finished(): Promise<unknown>
}
interface Queue {
  isReady(): Promise<unknown>
  add(data: object, options: { jobId: string }): Promise<Job>
  process(handler: () => Promise<string>): Promise<void>
  emit(event: string, jobId: string): void
  close(): Promise<void>
}

const n8nRequire = createRequire(runtime('2.41.1').n8n)

let redis: RedisServer
let queue: Queue
beforeAll(async () => {
  redis = await startRedis()
  queue = new (n8nRequire('bull'))('jobs', { redis: { port: redis.port } })
  await queue.isReady()
})
afterAll(async () => {
  // Ends what waits for the lost job.
  queue.emit('global:completed', 'lost')
  await queue.close()
  await redis.stop()
})

/** As n8n waits for the end of an execution: Bull looks at once, and then every five seconds. */
function end(job: Job) {
  const scripts = n8nRequire('bull/lib/scripts')
  const { isFinished } = scripts
  let [looks, settled] = [0, false]
  scripts.isFinished = (looked: Job) => isFinished(looked).finally(() => (looks += Number(looked === job)))
  job.finished().then(
    () => (settled = true),
    () => (settled = true),
  )
  return { looks: () => looks, settled: () => settled }
}

test('a job that Redis has lost never ends, though later ones do', async () => {
  const lost = end(await queue.add({}, { jobId: 'lost' }))
  expect(await until(async () => lost.looks() === 1, { timeout: 5000, every: 20 })).toBe(true)
  await redis.run('FLUSHALL')

  void queue.process(async () => 'done')
  expect(await (await queue.add({}, { jobId: 'later' })).finished()).toBe('done')
  expect(await until(async () => lost.looks() === 2, { timeout: 10_000, every: 100 })).toBe(true)
  expect(lost.settled()).toBe(false)
}, 30_000)
