import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { until } from '../../../loadtests/src/lib/await.ts'
import { bundled } from '../../workflows/files.ts'
import { startCore, type Core } from '../../support/core.ts'
import { startN8n, type N8n, type Worker } from '../../support/n8n.ts'
import { startRedis, type RedisServer } from '../../support/redis.ts'
import { versions } from '../../support/runtime.ts'

const LOAD = 14
const { path } = bundled.find(({ name }) => name === 'wait-5s-webhook')!

/** No fake of n8n's keys could prove what this does: n8n itself in queue mode, its worker, and the node beside them. */
describe.each(versions)('the queue of n8n %s in queue mode', (version) => {
  let redis: RedisServer
  let n8n: N8n
  let core: Core
  let worker: Worker

  const look = async (operation: string) => {
    const { items, error } = await core.run({
      node: 'queue',
      parameters: { operation },
      credentials: { redis: { host: '127.0.0.1', port: redis.port } },
    })
    if (error) throw new Error(error.message)
    return items![0]!.json as Record<string, any>
  }

  beforeAll(async () => {
    redis = await startRedis()
    core = await startCore(version)
    n8n = await startN8n(version, [path], {
      env: {
        EXECUTIONS_MODE: 'queue',
        QUEUE_BULL_REDIS_HOST: '127.0.0.1',
        QUEUE_BULL_REDIS_PORT: String(redis.port),
        QUEUE_WORKER_LOCK_DURATION: '2000',
        QUEUE_WORKER_LOCK_RENEW_TIME: '500',
      },
    })
  }, 300_000)
  afterAll(async () => {
    await n8n?.stop()
    await core?.stop()
    await redis?.stop()
  })

  test('what n8n accepts waits while no worker is there', async () => {
    expect(await look('overview')).toMatchObject({ waiting: 0, active: 0, workers: 0 })
    const answers = await Promise.all(Array.from({ length: LOAD }, () => fetch(`${n8n.url}/webhook/load-test`)))
    expect(answers.map(({ status }) => status)).toEqual(Array(LOAD).fill(200))
    expect(await until(async () => (await look('counts')).waiting === LOAD, { timeout: 30_000, every: 100 })).toBe(true)
    const { oldestWaiting, ...overview } = await look('overview')
    expect(overview).toMatchObject({ active: 0, added: LOAD, workers: 0, stalled: 0 })
    expect(oldestWaiting).toMatchObject({ jobId: '1', executionId: expect.stringMatching(/^\d+$/) })
  })

  test('a worker shows, and takes as many as its concurrency says', async () => {
    worker = await n8n.startWorker()
    expect(await until(async () => (await look('counts')).active === 10, { timeout: 30_000, every: 100 })).toBe(true)
    expect(await look('overview')).toMatchObject({ waiting: LOAD - 10, active: 10, workers: 1, stalled: 0 })
  }, 300_000)

  test('the jobs of a worker that was killed are stalled', async () => {
    await worker.kill()
    expect(await look('workers')).toMatchObject({ workers: 0 })
    // n8n 0.x has Bull's own lock of 30 s, whatever its environment says.
    const { stalled, stalledJobs } = (await until(async () => (await look('stalled')).stalled === 10, {
      timeout: 40_000,
      every: 500,
    }))
      ? await look('stalled')
      : { stalled: 0, stalledJobs: [] }
    expect(stalled).toBe(10)
    expect(stalledJobs[0]).toMatchObject({ executionId: expect.stringMatching(/^\d+$/) })
  }, 300_000)
})
