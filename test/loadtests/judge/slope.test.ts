import { slopeOf } from '../../../loadtests/src/judge/slope.ts'

const minute = 60_000

/** A value every ten seconds, for so many minutes. */
const over = (minutes: number, value: (minutes: number) => number): Array<[number, number]> =>
  Array.from({ length: 6 * minutes }, (_, index) => [1e9 + (index * minute) / 6, value(index / 6)])

/** Always the same noise, of about ±1. */
function noise(seed: number): () => number {
  let state = seed
  return () => {
    state = (1103515245 * state + 12345) % 2 ** 31
    return (2 * state) / 2 ** 31 - 1
  }
}

test('a straight line has its own slope, to the digit', () => {
  const slope = slopeOf(over(20, (minutes) => 100 + minutes))!
  expect(slope.perHour).toBeCloseTo(60 / 110, 2)
  expect(slope.within).toBeLessThan(0.001)
})

test('a figure that stays has the slope 0, and the interval of its noise holds 0', () => {
  const holds = Array.from({ length: 100 }, (_, seed) => {
    const random = noise(seed + 1)
    const { perHour, within } = slopeOf(over(20, () => 100 + 5 * random()))!
    return Math.abs(perHour) <= within
  })
  expect(holds.filter(Boolean).length).toBeGreaterThanOrEqual(90)
})

test('a figure that swings over minutes has a wider interval than one with as much noise in each minute', () => {
  const random = noise(7)
  const quick = slopeOf(over(20, () => 100 + 5 * random()))!
  const slow = slopeOf(over(20, (minutes) => 100 + 3 * Math.sin(minutes)))!
  expect(slow.within).toBeGreaterThan(quick.within)
})

test('a leak of 2 % an hour is seen in twenty minutes of little noise', () => {
  const random = noise(3)
  const { perHour, within } = slopeOf(over(20, (minutes) => 600 + (12 * minutes) / 60 + random()))!
  expect(perHour - within).toBeGreaterThan(0.01)
  expect(perHour).toBeCloseTo(0.02, 2)
})

test('a few minutes say nothing of an hour', () => {
  expect(slopeOf(over(7, () => 100))).toBeNull()
  expect(slopeOf([])).toBeNull()
})
