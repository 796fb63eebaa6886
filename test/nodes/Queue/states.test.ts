import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { until } from '../../../loadtests/src/lib/await.ts'
import { openBull, type BullQueue } from '../../support/bull.ts'
import { startRedis, type RedisServer } from '../../support/redis.ts'
import { isLine0 } from '../../support/runtime.ts'
import { onEachLine } from '../lines.ts'

let redis: RedisServer
beforeAll(async () => (redis = await startRedis()), 300_000)
afterAll(() => redis.stop())

const execution = (executionId: string) => ({ executionId, workflowId: 'w' })
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

onEachLine((core, version) => {
  let bull: BullQueue
  const look = async (operation: string, settings = {}) => {
    const { items, error } = await core().run({
      node: 'queue',
      parameters: { operation, settings },
      credentials: { redis: { host: '127.0.0.1', port: redis.port } },
    })
    if (error) throw new Error(error.message)
    return items![0]!.json
  }

  const overSeconds = (seconds: number, more = {}) =>
    core().run({
      node: 'queue',
      parameters: { operation: 'throughput', since: 'seconds', seconds },
      credentials: { redis: { host: '127.0.0.1', port: redis.port } },
      ...more,
    })

  beforeAll(async () => {
    await redis.run('FLUSHALL')
    // The lock of an active job lasts so short a time only here: what loses its worker has to be seen.
    bull = openBull(version, { redis: { port: redis.port, host: '127.0.0.1' }, settings: { lockDuration: 1500 } })
    await bull.isReady()
  }, 300_000)
  afterAll(() => bull.close(true))

  test('an empty queue is empty', async () => {
    expect(await look('overview')).toMatchObject({
      waiting: 0,
      active: 0,
      delayed: 0,
      completed: 0,
      failed: 0,
      added: 0,
      oldestWaitingSeconds: 0,
      oldestWaiting: null,
      workers: 0,
      stalled: 0,
    })
  })

  test('counts jobs in every state', async () => {
    const kept = { priority: 100 }
    await bull.add('job', execution('1'), kept)
    await (await bull.getNextJob())!.moveToCompleted('ok', true, true)
    await bull.add('job', execution('2'), kept)
    await (await bull.getNextJob())!.moveToFailed(new Error('no'), true)
    await bull.add('job', execution('3'), { delay: 3_600_000 })
    await bull.add('job', execution('4'), kept)
    await bull.getNextJob()
    for (const id of ['5', '6', '7']) await bull.add('job', execution(id), kept)
    expect(await look('counts')).toEqual({ waiting: 3, active: 1, delayed: 1, completed: 1, failed: 1, added: 7 })
  })

  test('lists the executions that wait and run', async () => {
    expect(await look('jobs')).toMatchObject({
      waitingJobs: expect.arrayContaining(
        ['5', '6', '7'].map((executionId) => expect.objectContaining({ executionId })),
      ),
      activeJobs: [{ jobId: '4', executionId: '4', ageSeconds: expect.any(Number) }],
    })
  })

  test('counts and lists those that a worker of a later n8n is about to take as active', async () => {
    await redis.run('LPUSH', 'bull:jobs:claiming', '7')
    expect(await look('counts')).toMatchObject({ active: 2 })
    expect(await look('jobs')).toMatchObject({ activeJobs: [{ jobId: '7' }, { jobId: '4' }] })
    await redis.run('DEL', 'bull:jobs:claiming')
  })

  test('counts those of a paused queue as waiting', async () => {
    await bull.pause()
    expect(await look('counts')).toMatchObject({ waiting: 3 })
    expect(await look('oldest')).toMatchObject({ oldestWaiting: { executionId: '5' } })
    await bull.resume()
  })

  test('finds the job that has waited longest behind one that is more urgent', async () => {
    await later(1100)
    await bull.add('job', execution('8'), { priority: 50 })
    const { oldestWaitingSeconds, oldestWaiting } = await look('oldest')
    expect(oldestWaiting).toMatchObject({ executionId: '5', ageSeconds: oldestWaitingSeconds })
    expect(oldestWaitingSeconds).toBeGreaterThan(1)
    expect(oldestWaitingSeconds).toBeLessThan(30)
  })

  test('finds the job whose worker let go of its lock, and not the one that is held', async () => {
    expect(await until(async () => (await look('stalled')).stalled === 1, { timeout: 30_000, every: 100 })).toBe(true)
    const held = (await bull.getNextJob())!
    expect(await look('stalled')).toMatchObject({ stalled: 1, stalledJobs: [{ executionId: '4' }] })
    await held.moveToFailed(new Error('done'), true)
  })

  test('lists the workers that are connected', async () => {
    const workers = [0, 1].map(() =>
      openBull(version, { redis: { port: redis.port, host: '127.0.0.1' }, prefix: 'mine' }),
    )
    for (const worker of workers) void worker.process('job', 1, async () => {})
    expect(
      await until(async () => (await look('workers', { prefix: 'mine' })).workers === 2, {
        timeout: 30_000,
        every: 100,
      }),
    ).toBe(true)
    expect(await look('workers', { prefix: 'mine' })).toMatchObject({
      workersConnected: [{ address: expect.stringMatching(/^127\.0\.0\.1:\d+$/) }, {}],
    })
    expect(await look('workers')).toMatchObject({ workers: 0 })
    await Promise.all(workers.map((worker) => worker.close(true)))
  })

  test('measures how many come and go between two looks', async () => {
    expect(await look('throughput')).toEqual({ overSeconds: null, addedPerSecond: null, finishedPerSecond: null })

    const run = overSeconds(2)
    await later(500)
    for (let id = 20; id < 30; id++) await bull.add('job', execution(String(id)), { priority: 100 })
    for (let count = 0; count < 4; count++) await (await bull.getNextJob())!.moveToCompleted('ok', true, true)
    const {
      overSeconds: over,
      addedPerSecond,
      finishedPerSecond,
    } = (await run).items![0]!.json as Record<string, number>
    expect(over).toBeGreaterThan(1.9)
    expect(addedPerSecond! * over!).toBeCloseTo(10)
    expect(finishedPerSecond! * over!).toBeCloseTo(4)
  })

  test('refuses a time between two looks that is none', async () => {
    expect((await overSeconds(0)).error?.message).toBe(
      'Expected Seconds Between to be a number above 0 and up to 3600, got 0',
    )
  })

  // n8n 0.x does not tell a node that its execution is cancelled.
  if (!isLine0(version)) {
    test('looks the second time at once when the execution is cancelled', async () => {
      const { status, items } = await overSeconds(60, { cancelAfter: 300 })
      expect(status).toBe('canceled')
      expect(items![0]!.json.overSeconds).toBeLessThan(20)
    })
  }

  test('remembers the last look, of each queue by itself', async () => {
    const job = {
      node: 'queue' as const,
      parameters: { operation: 'throughput' },
      credentials: { redis: { host: '127.0.0.1', port: redis.port } },
    }
    const first = await core().run({ ...job, items: [{}] })
    expect(first.items![0]!.json).toEqual({ overSeconds: null, addedPerSecond: null, finishedPerSecond: null })
    await bull.add('job', execution('40'))
    const second = await core().run({ ...job, staticData: first.staticData })
    expect(second.items![0]!.json.addedPerSecond).toBeGreaterThan(0)
    expect(second.items![0]!.json.finishedPerSecond).toBe(0)
    const other = await core().run({
      ...job,
      parameters: { ...job.parameters, settings: { prefix: 'other' } },
      staticData: second.staticData,
    })
    expect(other.items![0]!.json.addedPerSecond).toBeNull()
  })
})
