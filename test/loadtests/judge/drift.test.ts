import { differenceUnderDrift, type Turn } from '../../../loadtests/src/judge/drift.ts'
import { normal, random } from '../../support/random.ts'

/** Turns of 5 s in the order A B B A, on a machine whose pace drifts by 13 % and remembers it for 30 s. */
function turns(seed: number, ratio: number, count = 20): Turn[] {
  const next = random(seed)
  const kept = Math.exp(-5.8 / 30)
  let pace = normal(next) * 0.13
  return Array.from({ length: count }, (_, nth) => {
    pace = kept * pace + Math.sqrt(1 - kept ** 2) * 0.13 * normal(next)
    const isOther = [false, true, true, false][nth % 4]!
    const chance = (0.3 * normal(next)) / Math.sqrt(50)
    return { at: 5800 * nth, executed: 50, isOther, value: 0.085 * (isOther ? ratio : 1) * Math.exp(pace + chance) }
  })
}

const seeds = Array.from({ length: 40 }, (_, nth) => nth + 1)
const found = (ratio: number) => seeds.map((seed) => differenceUnderDrift([turns(seed, ratio)], 0.015)!)
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

test('the range holds the ratio 19 times in 20, and is narrow, although the machine changes its pace', () => {
  const all = found(0.88)
  const holding = all.filter(({ low, high }) => 1 + low! <= 0.88 && 0.88 <= 1 + high!)
  expect(holding.length).toBeGreaterThanOrEqual(36)
  expect(median(all.map(({ low, high }) => (high! - low!) / 2))).toBeLessThan(0.08)
})

test('two of the same are hardly ever told apart', () => {
  expect(found(1).filter(({ low, high }) => low! > 0 || high! < 0).length).toBeLessThanOrEqual(3)
})

test('more runs of turns make it surer', () => {
  const width = (runs: Turn[][]) => {
    const { low, high } = differenceUnderDrift(runs, 0)!
    return high! - low!
  }
  expect(width([turns(1, 0.9), turns(2, 0.9), turns(3, 0.9)])).toBeLessThan(width([turns(1, 0.9)]))
})

test('turns of one alone tell no difference', () => {
  expect(differenceUnderDrift([turns(1, 0.9).filter(({ isOther }) => isOther)], 0.015)).toBeNull()
})
