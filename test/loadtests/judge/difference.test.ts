import {
  corrected,
  difference,
  findingOf,
  pairedDifference,
  halfWidth,
} from '../../../loadtests/src/judge/difference.ts'
import { normal, random } from '../../support/random.ts'

test('of pairs the machine’s own pace does not count', () => {
  const { share, low, high } = pairedDifference([11, 22, 44], [10, 20, 40])
  expect(share).toBeCloseTo(0.1)
  expect([low, high].map((end) => Number(end!.toFixed(6)))).toEqual([0.1, 0.1])
})

test('one run says nothing about what it may be off by, and gives no answer', () => {
  const found = difference([200], [100])
  expect(found).toMatchObject({ share: expect.closeTo(1), low: null, high: null, chance: null, rounds: 1 })
  expect([halfWidth(found), findingOf(found, 0.05)]).toEqual([null, 'unsure'])
})

test.each([
  [3, difference],
  [5, pairedDifference],
] as const)('19 of 20 intervals of %d rounds hold the truth', (rounds, find) => {
  let held = 0
  for (let seed = 0; seed < 1000; seed++) {
    const next = random(seed)
    const values = (centre: number) => Array.from({ length: rounds }, () => centre * Math.exp(0.1 * normal(next)))
    const { low, high } = find(values(120), values(100))
    if (low! <= 0.2 && 0.2 <= high!) held++
  }
  expect(held).toBeGreaterThanOrEqual(930)
  expect(held).toBeLessThanOrEqual(985)
})

test('beyond the bound and beyond chance is more or less, nowhere beyond it is the same, all else is unsure', () => {
  const of = (...ratios: number[]) =>
    findingOf(
      pairedDifference(
        ratios,
        ratios.map(() => 1),
      ),
      0.05,
    )
  expect(of(1.2, 1.21, 1.19)).toBe('more')
  expect(of(0.8, 0.81, 0.79)).toBe('less')
  expect(of(1.01, 0.99, 1)).toBe('same')
  expect(of(1.4, 0.8, 1.2)).toBe('unsure')
  expect(of(1.03, 1.031, 1.029)).toBe('same')
})

test('twenty questions at once show a difference by chance no more often than one', () => {
  let found = 0
  for (let seed = 0; seed < 200; seed++) {
    const next = random(seed)
    const all = Array.from({ length: 20 }, () =>
      pairedDifference(
        [1, 2, 3, 4].map(() => Math.exp(0.2 * normal(next))),
        [1, 1, 1, 1],
      ),
    )
    const chances = corrected(all.map(({ chance }) => chance))
    if (all.some((one, index) => ['more', 'less'].includes(findingOf(one, 0, chances[index]!)))) found++
  }
  expect(found).toBeLessThanOrEqual(20)
})

test('Holm’s correction leaves the order, and what is not known', () => {
  expect(corrected([0.01, null, 0.04, 0.03])).toEqual([0.03, null, 0.06, 0.06])
})
