import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import type { IDataObject } from 'n8n-workflow'
import { until } from '../../../loadtests/src/lib/await.ts'
import { openBull, type BullQueue } from '../../support/bull.ts'
import type { Activated } from '../../support/core.ts'
import { startRedis, type RedisServer } from '../../support/redis.ts'
import { onEachLine } from '../lines.ts'

let redis: RedisServer
beforeAll(async () => (redis = await startRedis()), 300_000)
afterAll(() => redis.stop())

const quick = {
  capacityIs: 'fixed',
  capacity: 2,
  over: 1.5,
  overSeconds: 0.4,
  under: 1,
  underSeconds: 0.4,
  everySeconds: 0.1,
}
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

onEachLine((core, version) => {
  let bull: BullQueue
  beforeEach(async () => {
    await redis.run('FLUSHALL')
    bull = openBull(version, { redis: { port: redis.port, host: '127.0.0.1' } })
    await bull.isReady()
  })
  afterEach(() => bull.close(true))
  const job = (parameters: IDataObject = {}, more = {}) => ({
    node: 'queuePressureTrigger' as const,
    parameters: { ...quick, ...parameters },
    credentials: { redis: { host: '127.0.0.1', port: redis.port } },
    ...more,
  })
  const add = async (count: number) => {
    for (let id = 0; id < count; id++) await bull.add('job', { executionId: String(id) }, { priority: 100 })
  }
  const finishAll = async () => {
    for (;;) {
      const next = await bull.getNextJob()
      if (!next) return
      await next.moveToCompleted('ok', true, true)
    }
  }
  const told = (watch: Activated, count: number) =>
    until(async () => watch.told.length >= count, { timeout: 30_000, every: 20 })

  test('starts the workflow under pressure and after it, once each', async () => {
    const watch = await core().activate(job())
    await add(4)
    expect(await told(watch, 1)).toBe(true)
    const [{ event, staticData }] = watch.told as [Activated['told'][number]]
    expect(event).toMatchObject({ event: 'pressure', pressure: 2, waiting: 4, active: 0, capacity: 2 })
    expect(Date.parse(event!.at as string) - Date.parse(event!.since as string)).toBeGreaterThanOrEqual(400)
    expect(staticData).toEqual({ pressed: true })

    await finishAll()
    expect(await told(watch, 2)).toBe(true)
    expect(watch.told[1]).toMatchObject({ event: { event: 'recovered', pressure: 0 }, staticData: { pressed: false } })
    await later(700)
    expect(watch.told).toHaveLength(2)
    await watch.deactivate()
  })

  test('counts active jobs too, and the capacity by the workers that are connected', async () => {
    const watch = await core().activate(job({ capacityIs: 'workers', concurrency: 2 }))
    let finish = () => {}
    const held = new Promise<void>((resolve) => (finish = resolve))
    void bull.process('job', 2, () => held)
    await add(5)
    expect(await told(watch, 1)).toBe(true)
    expect(watch.told[0]!.event).toMatchObject({
      event: 'pressure',
      pressure: 2.5,
      waiting: 3,
      active: 2,
      capacity: 2,
      workers: 1,
    })
    finish()
    expect(await told(watch, 2)).toBe(true)
    await watch.deactivate()
  })

  test('an n8n that starts anew says no pressure twice, and forgets no recovery', async () => {
    await add(4)
    const again = await core().activate(job({}, { staticData: { pressed: true } }))
    await later(900)
    expect(again.told).toEqual([])
    await finishAll()
    expect(await told(again, 1)).toBe(true)
    expect(again.told[0]!.event).toMatchObject({ event: 'recovered' })
    await again.deactivate()
  })

  test('looks no more once the workflow is inactive', async () => {
    const watch = await core().activate(job())
    await watch.deactivate()
    await add(4)
    await later(900)
    expect(watch.told).toEqual([])
    expect(
      String(await redis.run('CLIENT', 'LIST'))
        .split('\n')
        .filter((line) => / cmd=(exec|llen|ping)/.test(line)),
    ).toEqual([])
  })

  test('tells n8n once that Redis is lost; started again by n8n, it goes on where it was', async () => {
    const watch = await core().activate(job())
    await add(4)
    expect(await told(watch, 1)).toBe(true)
    await redis.kill()
    expect(await told(watch, 2)).toBe(true)
    await later(500)
    expect(watch.told).toHaveLength(2)
    expect(watch.told[1]!.error).toMatch(/^Lost Redis, and with it sight of the queue: /)
    await expect(core().activate(job())).rejects.toThrow(
      /^Expected Redis at 127\.0\.0\.1:\d+ to answer, got: connect ECONNREFUSED/,
    )
    await watch.deactivate()

    await redis.restart()
    // n8n 0.x starts it with what it had kept at the first start, so not with this pressure.
    const again = await core().activate(job({}, { staticData: {} }))
    expect(await told(again, 1)).toBe(true)
    expect(again.told[0]!.event).toMatchObject({ event: 'recovered' })
    await again.deactivate()
  })

  test('tells n8n when Redis no longer answers', async () => {
    const watch = await core().activate(job())
    await later(300)
    redis.freeze()
    const lost = await until(async () => watch.told.length === 1, { timeout: 30_000, every: 50 })
    redis.thaw()
    expect(lost).toBe(true)
    expect(watch.told[0]!.error).toMatch(/^Lost Redis, and with it sight of the queue: Command timed out/)
    await watch.deactivate()
  })

  test.each([
    ['calm', 1, 'recovered'],
    ['under pressure', 4, 'pressure'],
  ])('tried in the editor it shows at once how things are: %s', async (_, jobs, event) => {
    await add(jobs)
    const { items, error } = await core().run(job({}, { mode: 'manual' }))
    expect(error).toBeUndefined()
    expect(items).toMatchObject([{ json: { event, waiting: jobs, active: 0, capacity: 2 } }])
  })

  test('tried in the editor it says why it cannot see anything', async () => {
    const { error } = await core().run(
      job({}, { mode: 'manual', credentials: { redis: { host: '127.0.0.1', port: 1 } } }),
    )
    expect(error?.message).toMatch(/^Expected Redis at 127\.0\.0\.1:1 to answer/)
  })

  test.each([
    [
      'recovery above the threshold',
      { over: 1, under: 1.5 },
      'Expected Recovered At to be a number from 0 to 1, got 1.5',
    ],
    ['a capacity of nothing', { capacity: 0 }, 'Expected Capacity to be a number from 1 to 1000000000, got 0'],
    ['a negative time', { overSeconds: -1 }, 'Expected For to be a number from 0 to 86400, got -1'],
    ['a time that is no number', { everySeconds: '5' }, 'Expected Look Every to be a number from 0.1 to 3600, got "5"'],
  ])('does not start with %s', async (_, parameters, message) => {
    await expect(core().activate(job(parameters))).rejects.toThrow(message)
  })
})
