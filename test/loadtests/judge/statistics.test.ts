import { chanceOf, studentFor } from '../../../loadtests/src/judge/statistics.ts'

/** From any table of Student's t. */
test.each([
  [1, 12.706],
  [2, 4.303],
  [4, 2.776],
  [9, 2.262],
  [30, 2.042],
  [1000, 1.962],
])('with %d degrees of freedom 19 of 20 stay within %d', (freedom, value) => {
  expect(studentFor(0.95, freedom)).toBeCloseTo(value, 2)
})

test('chance makes as much of it as the table says', () => {
  expect(chanceOf(2.776, 4)).toBeCloseTo(0.05, 3)
  expect(chanceOf(-4.604, 4)).toBeCloseTo(0.01, 3)
  expect(chanceOf(0, 4)).toBe(1)
})

test('freedom need not be a whole number', () => {
  expect(studentFor(0.95, 3.5)).toBeGreaterThan(studentFor(0.95, 4))
  expect(studentFor(0.95, 3.5)).toBeLessThan(studentFor(0.95, 3))
})
