import { distributionOf, points, statOf } from '../../../loadtests/src/load/summary.ts'
import { aboveOf, countOf, encode } from '../../../loadtests/src/model/distribution.ts'
import { random } from '../../support/random.ts'

test('a distribution is found again in what is kept of it', () => {
  const kept = encode([
    { value: 0.5, count: 10 },
    { value: 42.5, count: 89 },
    { value: 30_000, count: 1 },
  ])
  expect(countOf(kept)).toBe(100)
  expect([aboveOf(kept, 1), aboveOf(kept, 500), aboveOf(kept, 60_000)]).toEqual([
    { late: 90, of: 100 },
    { late: 1, of: 100 },
    { late: 0, of: 100 },
  ])
})

test('it is small: some thousand answers take some thousand characters', () => {
  const next = random(1)
  expect(encode(Array.from({ length: 1000 }, () => ({ value: 10 + 500 * next(), count: 7 }))).length).toBeLessThan(6000)
})

/** As k6 says it: between the two nearest answers, in proportion. */
function told(answers: number[]): Record<string, number> {
  const sorted = answers.toSorted((a, b) => a - b)
  const at = (share: number) => {
    const position = share * (sorted.length - 1)
    const low = sorted[Math.floor(position)]!
    return low + (sorted[Math.ceil(position)]! - low) * (position % 1)
  }
  return {
    count: answers.length,
    max: sorted.at(-1)!,
    ...Object.fromEntries(points.map(({ percentile }) => [statOf(percentile), at(percentile / 100)])),
  }
}

test.each([1, 12, 190, 1000, 20_000])(
  'of %d answers k6 tells enough to count the late ones, to two in a thousand',
  (count) => {
    const next = random(count)
    const answers = Array.from({ length: count }, () => 100 * next() ** -0.5)
    const kept = distributionOf(told(answers))!
    expect(countOf(kept)).toBe(count)
    for (const bound of [150, 300, 500, 1000]) {
      const late = answers.filter((answer) => answer > bound).length
      expect(Math.abs(aboveOf(kept, bound).late - late)).toBeLessThanOrEqual(Math.max(1, 0.002 * count))
    }
  },
)

test('without an answer, or without points, nothing is known of it', () => {
  expect(distributionOf({ count: 0 })).toBeUndefined()
  expect(distributionOf({ count: 5, max: 1 })).toBeUndefined()
})
