import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { T0, cell, end, queued, run, sample, step } from '../fixtures/records.ts'
import type { Resources } from '../../../loadtests/src/model/result.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

const resourcesOf = (records: RunRecord[]): Resources[] =>
  summarise([run(), cell(0), ...records, end()]).results[0].resources

test('counts only what was used while measured load was on', () => {
  const [main] = resourcesOf([
    sample(0, T0 - 5000, { rss: 900 }),
    step(0, 5, { purpose: 'warm-up', startedAt: T0 - 10_000, seconds: 10 }),
    sample(0, T0 + 1000, { rss: 100, cpu: 0.2 }),
    sample(0, T0 + 2000, { rss: 300, cpu: 0.6 }),
    step(0, 50, { startedAt: T0, seconds: 10 }),
    sample(0, T0 + 12_000, { rss: 800 }),
  ])
  expect(main.rss).toEqual({ mean: 200, max: 300 })
  expect(main.cpu).toEqual({ mean: 0.4, max: 0.6 })
})

test('keeps processes apart', () => {
  const resources = resourcesOf([
    sample(0, T0 + 1000, { rss: 100 }),
    sample(0, T0 + 1000, { process: 'worker-0', rss: 700 }),
    step(0, 50, { startedAt: T0 }),
  ])
  expect(resources.map(({ process, rss }) => [process, rss?.max])).toEqual([
    ['main-0', 100],
    ['worker-0', 700],
  ])
})

test('says of those that requests come to how many they answered, over the measured steps', () => {
  const counted = (spread: Record<string, number>, over: object) => ({ ...step(0, 50, over), spread }) as RunRecord
  const resources = resourcesOf([
    ...['webhook-0', 'webhook-1', 'worker-0'].map((process) => sample(0, T0 + 1000, { process })),
    counted({ 'webhook-0': 900, 'webhook-1': 900 }, { purpose: 'warm-up', startedAt: T0 - 10_000, seconds: 10 }),
    counted({ 'webhook-0': 30, 'webhook-1': 20 }, { startedAt: T0 }),
    counted({ 'webhook-0': 5, 'webhook-1': 6 }, { startedAt: T0 + 20_000 }),
  ])
  expect(resources.map(({ process, requests }) => [process, requests])).toEqual([
    ['webhook-0', 35],
    ['webhook-1', 26],
    ['worker-0', null],
  ])
})

test('says how many jobs waited while measured load was on', () => {
  const [result] = summarise([
    run(),
    cell(0),
    queued(0, T0 - 1000, 90),
    queued(0, T0 + 1000, 2),
    queued(0, T0 + 2000, 6),
    step(0, 50, { startedAt: T0 }),
    end(),
  ]).results
  expect(result.waiting).toEqual({ mean: 4, max: 6 })
})

test('says what CPU a request took of all processes together, repeat by repeat', () => {
  const [result] = summarise([
    run(),
    cell(0),
    sample(0, T0 + 1000, { cpu: 0.4 }),
    sample(0, T0 + 1000, { process: 'worker-0', cpu: 0.1 }),
    step(0, 50, { startedAt: T0, seconds: 10 }),
    sample(0, T0 + 21_000, { cpu: 0.9 }),
    sample(0, T0 + 21_000, { process: 'worker-0', cpu: 0.1 }),
    step(0, 50, { repeat: 2, startedAt: T0 + 20_000, seconds: 10 }),
    end(),
  ]).results
  expect(result.cpuPerRequest).toEqual([0.01, 0.02])
})

test('says of a repeat in which nothing was seen that it is not known, and keeps the others in their places', () => {
  const [result] = summarise([
    run(),
    cell(0),
    step(0, 50, { startedAt: T0 }),
    sample(0, T0 + 21_000, { cpu: 1, rss: 300 }),
    step(0, 50, { repeat: 2, startedAt: T0 + 20_000, seconds: 10 }),
    end(),
  ]).results
  expect([result.peaks, result.cpuPerRequest]).toEqual([
    [null, 300],
    [null, 0.02],
  ])
})

test('no process holds more memory than its limit', () => {
  const [main] = resourcesOf([sample(0, T0 + 1000, { rss: 1061 * 2 ** 20 }), step(0, 50, { startedAt: T0 })])
  expect(main.rss!.max).toBe(2 ** 30)
})

test('leaves unknown what was never known', () => {
  const [main] = resourcesOf([sample(0, T0 + 1000, { heapUsed: null, cpu: null }), step(0, 50, { startedAt: T0 })])
  expect(main).toMatchObject({ cpu: null, heapUsed: null, limit: { cpu: 1, memory: 2 ** 30 } })
})
