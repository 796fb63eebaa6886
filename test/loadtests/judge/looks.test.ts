import { levelAt } from '../../../loadtests/src/judge/looks.ts'
import { studentFor } from '../../../loadtests/src/judge/statistics.ts'
import { normal, random } from '../../support/random.ts'

/** How often a gate that looks after every round calls it surely better, although there is nothing. */
function falseAnswers(rounds: number, levelOf: (round: number) => number): number {
  const tries = 4000
  let answered = 0
  for (let seed = 0; seed < tries; seed++) {
    const next = random(seed)
    let [sum, squares] = [0, 0]
    for (let round = 1; round <= rounds; round++) {
      const value = normal(next)
      sum += value
      squares += value ** 2
      if (round < 3) continue
      const off = Math.sqrt((squares - sum ** 2 / round) / (round - 1) / round)
      if (sum / round > studentFor(1 - 2 * levelOf(round), round - 1) * off) {
        answered++
        break
      }
    }
  }
  return answered / tries
}

test('ten looks at the usual level err three times as often as promised', () => {
  expect(falseAnswers(10, () => 0.05)).toBeGreaterThan(0.12)
})

test.each([10, 30])('%d looks at levels of their own err no more often than promised', (rounds) => {
  expect(falseAnswers(rounds, (round) => levelAt(round, 0.05))).toBeLessThanOrEqual(0.055)
})

test('the first look may spend a third of the errors, and later ones less and less', () => {
  expect(levelAt(3, 0.06)).toBeCloseTo(0.02, 3)
  expect(levelAt(30, 0.06)).toBeLessThan(levelAt(10, 0.06))
})
