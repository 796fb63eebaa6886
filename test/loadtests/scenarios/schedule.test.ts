import { requestsDue, requestsIn, type Schedule } from '../../../loadtests/scenarios/schedule.ts'

const at = (rate: number, seconds: number, more: Partial<Schedule> = {}): Schedule => ({
  from: rate,
  stages: [{ rate, seconds }],
  arrivals: 'random',
  seed: 1,
  ...more,
})
const dueTimes = (schedule: Schedule) => [...requestsDue(schedule)].map(({ second }) => second)
const gapsOf = (due: number[]) => due.slice(1).map((moment, index) => moment - due[index]!)
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

test.each(['random', 'even'] as const)('%s arrivals are as many as the rate asks for, in order', (arrivals) => {
  const due = dueTimes(at(12.3, 10, { arrivals }))
  expect(due).toHaveLength(123)
  expect(due).toEqual([...due].sort((a, b) => a - b))
  expect(due[0]).toBeGreaterThanOrEqual(0)
  expect(due.at(-1)).toBeLessThanOrEqual(10)
})

test('random arrivals have the gaps of independent callers: as far from each other as they are apart', () => {
  const gaps = gapsOf(dueTimes(at(100, 200)))
  const usual = mean(gaps)
  const deviation = Math.sqrt(mean(gaps.map((gap) => (gap - usual) ** 2)))
  expect(deviation / mean(gaps)).toBeCloseTo(1, 1)
  // Of exponential gaps, 1 - 1/e are shorter than their mean.
  expect(gaps.filter((gap) => gap < 0.01).length / gaps.length).toBeCloseTo(0.632, 1)
})

test('even arrivals have equal gaps', () => {
  for (const gap of gapsOf(dueTimes(at(50, 10, { arrivals: 'even' })))) expect(gap).toBeCloseTo(0.02)
})

test('another seed gives other moments, and the same seed the same ones', () => {
  for (const arrivals of ['random', 'even'] as const) {
    const [one, again, other] = [1, 1, 2].map((seed) => dueTimes(at(10, 10, { arrivals, seed })))
    expect(again).toEqual(one)
    expect(other!.filter((moment) => one!.includes(moment))).toEqual([])
  }
})

test('a ramp has arrivals in proportion to its rate at each moment', () => {
  const due = dueTimes({ from: 0, stages: [{ rate: 100, seconds: 100 }], arrivals: 'even', seed: 1 })
  expect(due).toHaveLength(5000)
  // A quarter of a ramp's requests come in its first half.
  expect(due.filter((moment) => moment < 50).length).toBeCloseTo(1250, -1)
})

test('a rate that changes at once changes at once', () => {
  const stages = [
    { rate: 10, seconds: 10 },
    { rate: 50, seconds: 0 },
    { rate: 50, seconds: 10 },
  ]
  const due = dueTimes({ from: 10, stages, arrivals: 'random', seed: 3 })
  expect(due).toHaveLength(600)
  expect(Math.abs(due.filter((moment) => moment < 10).length - 100)).toBeLessThan(30)
})

test('callers who waited come at once, at the beginning', () => {
  const due = dueTimes(at(10, 10, { waiting: 40 }))
  expect(due.slice(0, 40)).toEqual(new Array(40).fill(0))
  expect(due).toHaveLength(140)
})

test('the number of requests is known beforehand', () => {
  for (const schedule of [at(0.01, 10), at(33.3, 7), at(10, 10, { waiting: 5 })])
    expect(dueTimes(schedule)).toHaveLength(requestsIn(schedule))
})

describe('several senders', () => {
  const shared = (schedule: Schedule, of: number) =>
    Array.from({ length: of }, (_, index) => [...requestsDue(schedule, { index, of })])

  test.each(['random', 'even'] as const)('send together what one would, each request once: %s', (arrivals) => {
    for (const schedule of [at(33, 7, { arrivals }), at(10, 2, { arrivals, waiting: 7 })])
      for (const senders of [1, 3, 30]) {
        const numbers = shared(schedule, senders).flatMap((own) => own.map(({ number }) => number))
        expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: requestsIn(schedule) }, (_, n) => n))
      }
  })

  test('have together the gaps of independent callers', () => {
    const all = shared(at(100, 200), 20).flat()
    const gaps = gapsOf(all.map(({ second }) => second).sort((a, b) => a - b))
    const usual = mean(gaps)
    const deviation = Math.sqrt(mean(gaps.map((gap) => (gap - usual) ** 2)))
    expect(deviation / mean(gaps)).toBeCloseTo(1, 1)
    expect(gaps.filter((gap) => gap < 0.01).length / gaps.length).toBeCloseTo(0.632, 1)
  })

  test('keep the metronome of even arrivals', () => {
    const all = shared(at(50, 10, { arrivals: 'even' }), 7).flat()
    for (const gap of gapsOf(all.map(({ second }) => second).sort((a, b) => a - b))) expect(gap).toBeCloseTo(0.02)
  })
})
