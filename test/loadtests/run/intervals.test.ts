import { capacityOf } from '../../../loadtests/src/analyse/capacity.ts'
import type { Capacity, Step } from '../../../loadtests/src/analyse/summary.ts'
import { driveLoad } from '../../../loadtests/src/run/drive-load.ts'
import { random } from '../../support/random.ts'
import { serverOf } from '../../support/synthetic/curves.ts'
import { uneven } from '../../support/synthetic/pace.ts'
import { search, slo } from '../../support/synthetic/points.ts'
import { simulate } from '../../support/synthetic/simulate.ts'

/**
 * What an interval is worth where the pace of n8n changes by a tenth, in virtual time. `make bench-intervals` does the
 * same with the real k6.
 */

const noise = 0.1
const capacity = 40
const tries = 60

async function capacityFound(repeats: number, attempt: number): Promise<Capacity> {
  const steps: Step[] = []
  for (let repeat = 1; repeat <= repeats; repeat++) {
    const seed = attempt * 100 + repeat
    const server = serverOf('fixed', capacity, seed, uneven(noise, random(seed)))
    const simulation = simulate(server, slo)
    await driveLoad({ ...search, step: 10 }, simulation.measure)
    steps.push(...simulation.steps.map((step) => ({ ...step, repeat })))
  }
  return capacityOf('search', steps)!
}

test('the interval of three repeats holds the true capacity in at least nine of ten tries', async () => {
  let held = 0
  for (let attempt = 0; attempt < tries; attempt++) {
    const { low, high } = (await capacityFound(3, attempt)).interval!
    held += Number(low <= capacity && capacity <= (high ?? Infinity))
  }
  expect(held / tries).toBeGreaterThanOrEqual(0.9)
})

test('a capacity of several repeats lies within a tenth of the true one on average', async () => {
  const found = await Promise.all(Array.from({ length: 20 }, (_, attempt) => capacityFound(3, attempt)))
  const mean = found.reduce((sum, { rate }) => sum + rate, 0) / found.length
  expect(Math.abs(mean / capacity - 1)).toBeLessThan(0.1)
})
