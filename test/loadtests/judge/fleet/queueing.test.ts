import {
  allBusy,
  found,
  fullSlots,
  percentile95,
  pooled,
  sharedLoop,
} from '../../../../loadtests/src/judge/fleet/queueing.ts'

/** Against closed forms and tables of textbooks. */

test('Erlang C: two servers at a load of one are both busy a third of the time, and ten at eight 41 %', () => {
  expect(allBusy(1, 0.7)).toBeCloseTo(0.7, 10)
  expect(allBusy(2, 1)).toBeCloseTo(1 / 3, 10)
  expect(allBusy(10, 8)).toBeCloseTo(0.4092, 4)
})

test('a thousand servers neither overflow nor come out above one', () => {
  expect(allBusy(1000, 950)).toBeGreaterThan(0)
  expect(allBusy(1000, 950)).toBeLessThan(1)
  expect(allBusy(1000, 1000)).toBe(1)
})

test('one server with a queue: M/M/1 takes service ÷ (1 − load), and differs as an exponential does', () => {
  const { mean, variation } = pooled(8, 0.1, 1)
  expect(mean).toBeCloseTo(0.5, 10)
  expect(variation).toBeCloseTo(1, 10)
})

test('arrivals at random find a process at work as often as it is; even ones less often', () => {
  expect(found(0.8, 1)).toBe(0.8)
  // D/M/1 at 0.8, from tables.
  expect(found(0.8, 1e-4)).toBeCloseTo(0.6286, 3)
})

test('an event loop with random arrivals takes service ÷ (1 − load), however demands differ', () => {
  for (const variation of [0, 0.5, 1, 2])
    expect(sharedLoop({ load: 0.75, service: 0.02, evenness: 1, variation }).mean).toBeCloseTo(0.08, 10)
})

test('with exponential demands the time at an event loop differs by (2 + ρ) ÷ (2 − ρ)', () => {
  expect(sharedLoop({ load: 0.5, service: 1, evenness: 1, variation: 1 }).variation).toBeCloseTo(2.5 / 1.5, 10)
})

test('turns of equal executions meet no queue', () => {
  expect(sharedLoop({ load: 0.9, service: 0.02, evenness: 1e-6, variation: 0 }).mean).toBeCloseTo(0.02, 3)
})

test('a load above what the loop can do has no end', () => {
  expect(sharedLoop({ load: 1, service: 0.02, evenness: 1, variation: 1 }).mean).toBe(Infinity)
})

test('slots: with much waiting their number decides, with none the event loop does', () => {
  expect(fullSlots(10, 0.01, 0)).toBe(100)
  expect(fullSlots(1, 0.01, 0.99)).toBeCloseTo(1, 10)
  expect(fullSlots(5, 0.01, 0.99)).toBeGreaterThan(4.8)
  expect(fullSlots(1000, 0.01, 0.99)).toBeCloseTo(100, 1)
})

test('the 95th percentile of what never differs is its sum, and of an exponential about three means', () => {
  expect(
    percentile95([
      { mean: 2, variation: 0 },
      { mean: 1, variation: 0 },
    ]),
  ).toBeCloseTo(3, 10)
  expect(percentile95([{ mean: 1, variation: 1 }])).toBeCloseTo(2.78, 2)
})
