import { Samples } from '../../../loadtests/src/model/samples.ts'
import { heapBefore, seenIn, type Given, type Sampled } from '../../../loadtests/src/judge/seen.ts'
import type { Sample } from '../../../loadtests/src/model/sample.ts'

const during = { startedAt: 1000, endedAt: 4000 }
const nothing: Sampled = { samples: new Samples(), queue: [], database: [] }
const given: Given = {
  processes: [{ name: 'main-0', limits: { cpu: 2 } }],
  cores: 1,
  heaps: {},
  slots: null,
  runner: null,
  request: null,
}

const sample = (at: number, over: Partial<Sample> = {}): Sample => ({
  at,
  process: 'main-0',
  cpu: 0.5,
  rss: 1,
  pids: 1,
  heapUsed: null,
  heapTotal: null,
  external: null,
  lag: null,
  executions: null,
  ...over,
})

test('what was seen is that of the load: before and after it nothing counts', () => {
  const samples = [
    sample(500, { cpu: 9 }),
    sample(2000, { cpu: 0.2 }),
    sample(3000, { cpu: 0.4 }),
    sample(5000, { cpu: 9 }),
  ]
  const { processes } = seenIn({ ...nothing, samples: Samples.of(samples) }, during, given)
  expect(processes).toEqual([
    expect.objectContaining({
      process: 'main-0',
      cpu: expect.closeTo(0.3),
      limit: 2,
      loop: null,
      pool: null,
      heap: null,
    }),
  ])
})

test('of the heap it is the least, of the rest the average of the looks that told it', () => {
  const samples = [
    sample(1500, { heapUsed: 300, throttled: 0.2, pool: { active: 1, waiting: 4, max: 1 } }),
    sample(2500, {
      heapUsed: 200,
      throttled: 0.4,
      pool: { active: 1, waiting: 8, max: 1 },
      loop: { ran: 0.5, waited: 0.1 },
    }),
    sample(3500),
  ]
  const { processes } = seenIn({ ...nothing, samples: Samples.of(samples) }, during, {
    ...given,
    heaps: { 'main-0': 1000 },
  })
  expect(processes[0]).toMatchObject({
    heap: { least: 200, limit: 1000 },
    throttled: expect.closeTo(0.3),
    pool: { active: 1, waiting: 6, max: 1 },
    loop: { ran: 0.5, waited: 0.1 },
  })
})

test('Redis takes as long as half of the times, and the disk is busy in the looks that found somebody waiting', () => {
  const queue = [2, 300, 200].map((took, index) => ({ at: 1500 + index, waiting: 4, active: 1, took }))
  const database = [0, 1, 3, 2].map((onDisk, index) => ({ at: 2000 + index, active: 3, onDisk }))
  expect(seenIn({ ...nothing, queue, database }, during, given)).toMatchObject({
    redis: 200,
    disk: 0.75,
    executions: { active: 1, waiting: 4 },
  })
})

test('the lists of executions are those of the looks that told of them', () => {
  const database = [1, 3].map((lists, index) => ({ at: 2000 + index, active: 4, onDisk: 0, lists }))
  const earlier = { at: 2002, active: 9, onDisk: 0 }
  expect(seenIn({ ...nothing, database: [...database, earlier] }, during, given).lists).toEqual({
    reading: 2,
    active: 4,
  })
})

test('in regular mode main tells how many executions run, and not how many wait', () => {
  const samples = [3, 5].map((started, index) =>
    sample(1500 + index, { executions: { started, succeeded: 1, failed: 1 } }),
  )
  expect(seenIn({ ...nothing, samples: Samples.of(samples) }, during, given).executions).toEqual({
    active: 2,
    waiting: null,
  })
})

test('the heap of a process that ended is that of its last look, not that of the process after it', () => {
  const samples = [sample(1000, { heapUsed: 300 }), sample(2000), sample(3000, { heapUsed: 50 })]
  expect(heapBefore(samples, { process: 'main-0', at: 2500 })).toBe(300)
  expect(heapBefore(samples, { process: 'worker-0', at: 2500 })).toBeNull()
})

test('what nobody looked at is unknown', () => {
  expect(seenIn(nothing, during, given)).toEqual({
    processes: [],
    cores: 1,
    redis: null,
    disk: null,
    lists: null,
    executions: null,
    slots: null,
    runner: null,
    request: null,
  })
})
