import { edgeOf, operatingOf, roundedShare, soakOf } from '../../../loadtests/src/judge/operating.ts'
import { T0, reason, sample, step } from '../fixtures/records.ts'
import type { HeldStep, Step } from '../../../loadtests/src/model/step.ts'
import type { Capacity } from '../../../loadtests/src/model/result.ts'

const capacity: Capacity = {
  rate: 100,
  spread: null,
  interval: { low: 90, high: 110 },
  repeats: [100],
  brokeAt: 110,
  p95: 80,
  accounting: (step(0, 100) as unknown as Step).accounting,
}
const minute = 60_000
const mebibyte = 2 ** 20

/** Held for 15 minutes from T0 on. */
function held(rate: number, over: Partial<HeldStep> = {}): HeldStep {
  const {
    type: _,
    cell: __,
    at: ___,
    ...own
  } = step(0, rate, { seconds: 900 }) as Extract<ReturnType<typeof step>, { type: 'step' }>
  return { ...own, share: 0.7, database: null, ...over }
}

const operating = (over: Partial<Parameters<typeof operatingOf>[0]> = {}) =>
  operatingOf({ capacity, held: [], observed: { samples: [], queue: [] }, monthly: null, ...over })

test('the edge is what the capacity is sure of; without an interval it is the capacity', () => {
  expect(edgeOf(capacity)).toBe(90)
  expect(edgeOf({ ...capacity, interval: null })).toBe(100)
})

test('a rate has the three digits in which it is written', () => {
  expect(roundedShare(98.765, 0.7)).toBe(69.1)
})

test('without a rate that was held it is the safe rate', () => {
  expect(operating()).toEqual({ rate: 90, share: 1, held: null, costOfMillion: null })
})

test('of several that were held, the last one counts: the others broke', () => {
  const broke = held(63, { holds: false, reasons: [reason('latency')] })
  expect(operating({ held: [broke, held(47.3, { share: 0.525 })] })).toMatchObject({
    rate: 47.3,
    share: 0.525,
    held: { holds: true, seconds: 900, p95: 80, backlogGrowth: 0.01 },
  })
})

test('memory is told of the second third and of the last: the first fills caches', () => {
  const rss = (minutes: number, mebibytes: number) => sample(0, T0 + minutes * minute, { rss: mebibytes * mebibyte })
  const samples = [rss(1, 100), rss(4, 400), rss(6, 500), rss(7, 510), rss(8, 520), rss(11, 530), rss(20, 900)]
  expect(operating({ held: [held(63)], observed: { samples, queue: [] } }).held!.memory).toMatchObject([
    { process: 'main-0', second: 510 * mebibyte, last: 530 * mebibyte, slope: null },
  ])
})

test('memory has a slope from the second third on, and the part of it in the heap', () => {
  const samples = Array.from({ length: 90 }, (_, index) => index / 6).map((minutes) =>
    sample(0, T0 + minutes * minute, {
      rss: (minutes < 5 ? 100 : 600 + minutes) * mebibyte,
      heapUsed: (200 + minutes) * mebibyte,
    }),
  )
  const [main] = operating({ held: [held(63)], observed: { samples, queue: [] } }).held!.memory
  expect(main!.slope!.perHour).toBeCloseTo(60 / 610, 3)
  expect((main!.heap!.last - main!.heap!.second) / mebibyte).toBeCloseTo(5, 0)
})

test('what the heap keeps is told where the lab looked, and the slope outside of it', () => {
  const samples = Array.from({ length: 90 }, (_, index) => index / 6).map((minutes) =>
    sample(0, T0 + minutes * minute, { rss: (600 + minutes) * mebibyte, heapTotal: (200 + minutes) * mebibyte }),
  )
  const keptHeaps = [{ process: 'main-0', before: 150, after: 151 }]
  const [main] = operating({ held: [held(63, { keptHeaps })], observed: { samples, queue: [] } }).held!.memory
  expect(main!.keptHeap).toEqual({ before: 150, after: 151 })
  expect(main!.outside!.perHour).toBeCloseTo(0, 6)
})

test('open files are told of each process that says so, and Redis’s keys where a queue is', () => {
  const samples = [6, 11].map((minutes) => sample(0, T0 + minutes * minute, { files: 40 + minutes }))
  const queue = [6, 11].map((minutes) => ({ at: T0 + minutes * minute, waiting: 0, active: 1, keys: 10 * minutes }))
  const { memory, keys } = operating({ held: [held(63)], observed: { samples, queue } }).held!
  expect(memory[0]!.files).toEqual({ second: 46, last: 51 })
  expect(keys).toEqual({ second: 60, last: 110 })
})

test('one rate that lasted for ten minutes tells what was seen, a shorter one nothing', () => {
  const samples = [sample(0, T0 + 6 * minute, { rss: 100 }), sample(0, T0 + 11 * minute, { rss: 110 })]
  const soak = soakOf([held(20)], { samples, queue: [] })!
  expect(soak).toMatchObject({ rate: 20, held: { seconds: 900, holds: true, p95: 80, database: null } })
  expect(soak.held.memory).toMatchObject([{ process: 'main-0', second: 100, last: 110 }])
  expect(soakOf([step(0, 20, { seconds: 590 }) as unknown as Step], { samples, queue: [] })).toBeNull()
})

test('the database’s growth is told by the day, and its transactions by the execution', () => {
  const before = { bytes: 10 * mebibyte, kept: 5, transactions: 1000 }
  const after = { bytes: 19 * mebibyte, kept: 56_705, transactions: 1000 + 14 * 56_700 }
  const { database } = operating({ held: [held(63, { database: { before, after } })] }).held!
  expect(database).toEqual({ bytesOfDay: 9 * 96 * mebibyte, keptOfDay: 56_700 * 96, transactions: 14 })
})

test('a million executions cost what the month costs, shared by those that fit into it', () => {
  const { costOfMillion } = operating({ monthly: 90 * 2.628 })
  expect(costOfMillion).toBeCloseTo(1, 6)
})
