import { answersFor, latenessOf, metBy, shareWithin } from '../../../loadtests/src/judge/lateness.ts'
import type { LoadResult } from '../../../loadtests/src/model/load-result.ts'
import { encode } from '../../../loadtests/src/model/distribution.ts'
import { random } from '../../support/random.ts'

const late = (seen: number, of: number) => [{ objective: 'p95' as const, allowed: 0.05, late: seen, of }]

test('a share of few is hardly known, of many well', () => {
  expect(shareWithin(0, 20).high).toBeGreaterThan(0.15)
  expect(shareWithin(50, 1000)).toEqual({ low: expect.closeTo(0.0381, 3), high: expect.closeTo(0.0653, 3) })
  expect(shareWithin(0, 0)).toEqual({ low: 0, high: 1 })
})

test('19 of 20 intervals hold the share that was drawn from', () => {
  let held = 0
  for (let seed = 0; seed < 1000; seed++) {
    const next = random(seed)
    const seen = Array.from({ length: 300 }, next).filter((value) => value < 0.05).length
    const { low, high } = shareWithin(seen, 300)
    if (low <= 0.05 && 0.05 <= high) held++
  }
  expect(held).toBeGreaterThanOrEqual(930)
})

test('an objective is met, missed, or the answers do not tell', () => {
  expect(metBy([late(1, 400)])).toBe(true)
  expect(metBy([late(40, 400)])).toBe(false)
  expect(metBy([late(18, 400)])).toBeNull()
})

test('several tries tell together what none tells alone', () => {
  expect(metBy([late(4, 200)])).toBeNull()
  expect(metBy([late(4, 200), late(4, 200), late(5, 200)])).toBe(true)
})

test('with fewer answers than it takes, the earliest do not tell', () => {
  expect(metBy([late(0, answersFor(0.05))])).toBe(true)
  expect(metBy([late(0, answersFor(0.05) - 2)])).toBeNull()
})

test('late answers are counted by the distribution, for every objective there is', () => {
  const distribution = encode([
    { value: 100, count: 190 },
    { value: 700, count: 8 },
    { value: 3000, count: 2 },
  ])
  const load = { distribution } as LoadResult
  expect(latenessOf(load, { p95: 500, p99: 1000, errors: 0, backlog: 0 })).toEqual([
    { objective: 'p95', allowed: 0.05, late: 10, of: 200 },
    { objective: 'p99', allowed: 0.01, late: 2, of: 200 },
  ])
  expect(latenessOf({} as LoadResult, { p95: 500, errors: 0, backlog: 0 })).toEqual([])
})
