import { capacityOf } from '../../../loadtests/src/judge/capacity.ts'
import { driveLoad } from '../../../loadtests/src/run/drive-load.ts'
import { random } from '../../support/random.ts'
import { serverOf } from '../../support/synthetic/curves.ts'
import { uneven } from '../../support/synthetic/pace.ts'
import { search, slo } from '../../support/synthetic/points.ts'
import { simulate } from '../../support/synthetic/simulate.ts'
import type { Capacity } from '../../../loadtests/src/model/result.ts'
import type { Step } from '../../../loadtests/src/model/step.ts'

/**
 * What an interval is worth where the pace of n8n changes by a tenth, in virtual time. `make bench-intervals` does the
 * same with the real k6.
 */

const noise = 0.1
const capacity = 40
const tries = 40
const repeats = 3

async function searched(attempt: number): Promise<Step[]> {
  const steps: Step[] = []
  for (let repeat = 1; repeat <= repeats; repeat++) {
    const seed = attempt * 100 + repeat
    const simulation = simulate(serverOf('fixed', capacity, seed, uneven(noise, random(seed))), slo)
    await driveLoad({ ...search, step: 10 }, simulation.measure)
    steps.push(...simulation.steps.map((step) => ({ ...step, repeat })))
  }
  return steps
}

let all: Step[][]
beforeAll(async () => {
  all = await Promise.all(Array.from({ length: tries }, (_, attempt) => searched(attempt)))
})

const holds = ({ interval }: Capacity) =>
  !!interval && interval.low <= capacity && capacity <= (interval.high ?? Infinity)
const shareHolding = (of: (steps: Step[]) => Step[]) =>
  all.filter((steps) => holds(capacityOf('search', of(steps))!)).length / tries

test('the interval of three repeats holds the true capacity in at least nine of ten tries', () => {
  expect(shareHolding((steps) => steps)).toBeGreaterThanOrEqual(0.9)
})

test('that of one repeat does so in fewer than half of them: it says nothing about the next repeat', () => {
  expect(shareHolding((steps) => steps.filter(({ repeat }) => repeat === 1))).toBeLessThan(0.5)
})

test('a capacity of three repeats lies within a tenth of the true one on average', () => {
  const mean = all.reduce((sum, steps) => sum + capacityOf('search', steps)!.rate, 0) / tries
  expect(Math.abs(mean / capacity - 1)).toBeLessThan(0.1)
})
