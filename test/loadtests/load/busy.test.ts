import { busyShare } from '../../../loadtests/src/load/busy.ts'

/** A look every quarter of a second: two seconds to make the clients, four of load, four of waiting for answers. */
const looks = Array.from({ length: 41 }, (_, index) => {
  const second = index / 4
  return { at: 1000 * second, seconds: 0.5 * Math.min(2, second) + 0.95 * Math.min(4, Math.max(0, second - 2)) }
})

test('is what the generator used while it drove load', () => {
  expect(busyShare(looks, 2000, 6000, 1)).toBeCloseTo(0.95)
  expect(busyShare(looks, 2000, 6000, 2)).toBeCloseTo(0.475)
})

test('would be hidden by what it does before and after', () => {
  expect(busyShare(looks, 0, 10_000, 1)).toBeLessThan(0.5)
})

test('is not known of a step too short to look twice', () => {
  expect(busyShare(looks, 2100, 2200, 1)).toBeNull()
  expect(busyShare([], 0, 1000, 1)).toBeNull()
})
