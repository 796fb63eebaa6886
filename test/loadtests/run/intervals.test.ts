import { capacityOf } from '../../../loadtests/src/judge/capacity.ts'
import { driveLoad } from '../../../loadtests/src/run/drive-load.ts'
import { madeKinds, usualP95 } from '../../support/synthetic/kinds.ts'
import { machine } from '../../support/synthetic/machine.ts'
import { search, slo as sloOfPoints } from '../../support/synthetic/points.ts'
import { simulate } from '../../support/synthetic/simulate.ts'

const slo = { ...sloOfPoints, p95: usualP95 }

/** What an interval is worth, in virtual time. `make bench-answer` does the same for more kinds, and with real k6. */

test('intervals of one search hold the true capacity in 9 of 10, and half of them are at most 35 % wide', async () => {
  const kinds = ['in turn, even work', 'sharing', 'threads', 'a limit of one CPU', 'slower when busy']
  const found: { holds: boolean; width: number }[] = []
  for (const kind of kinds)
    for (const seed of [1, 2]) {
      const { of, truth } = madeKinds[kind]!
      const simulation = simulate((clock) => machine(of)(clock, seed), slo, { arrivals: 'random', seed })
      await driveLoad(search, simulation.measure, { samples: simulation.samples, slo })
      const capacity = capacityOf('search', simulation.steps, { samples: simulation.samples, slo })
      const { low, high } = capacity!.interval!
      found.push({ holds: low <= truth && truth <= high!, width: high! / low - 1 })
    }
  expect(found.filter(({ holds }) => holds).length).toBeGreaterThanOrEqual(9)
  expect(found.map(({ width }) => width).sort((a, b) => a - b)[5]).toBeLessThanOrEqual(0.35)
})
