import { capacityOf } from '../../../loadtests/src/judge/capacity.ts'
import { loadProfile } from '../../../loadtests/src/model/profile.ts'
import type { Capacity } from '../../../loadtests/src/model/result.ts'
import type { Step } from '../../../loadtests/src/model/step.ts'
import { driveLoad } from '../../../loadtests/src/run/drive-load.ts'
import { random } from '../../support/random.ts'
import { serverOf } from '../../support/synthetic/curves.ts'
import { uneven } from '../../support/synthetic/pace.ts'
import { points, slo } from '../../support/synthetic/points.ts'
import { made } from '../../support/synthetic/servers.ts'
import { simulate } from '../../support/synthetic/simulate.ts'

/**
 * What an interval is worth, in virtual time: the lab's own search, accounting and verdict on made servers. `make
 * bench-search` and `make bench-intervals` do the same with the real k6.
 */

/** As `make capacity` asks. */
const capacity = (await loadProfile('loadtests/profiles/capacity.yaml')).experiment.load
const repeats = 3

const holds = ({ interval }: Capacity, truth: number) =>
  !!interval && interval.low <= truth && truth <= (interval.high ?? Infinity)

describe('for callers who come at random', () => {
  let searches: { truth: number; steps: Step[][] }[]
  beforeAll(async () => {
    searches = await Promise.all(
      points.map(async ({ of, truth }) => ({
        truth,
        steps: await Promise.all(
          Array.from({ length: repeats }, async (_, index) => {
            const seed = 7 * index + 1
            const simulation = simulate((clock) => made(of)(clock, seed), slo, { arrivals: 'random', seed })
            await driveLoad(capacity, simulation.measure)
            return simulation.steps.map((step) => ({ ...step, repeat: index + 1 }))
          }),
        ),
      })),
    )
  })

  test('the interval of one search holds the true capacity in at least 14 of 16', () => {
    const held = searches.flatMap(({ truth, steps }) => steps.map((own) => holds(capacityOf('search', own)!, truth)))
    expect(held.filter(Boolean).length / held.length).toBeGreaterThanOrEqual(14 / 16)
  })

  test('so does that of three searches, and it is narrower', () => {
    const width = ({ interval }: Capacity) => interval!.high! / interval!.low
    const three = searches.map(({ truth, steps }) => ({ truth, steps, capacity: capacityOf('search', steps.flat())! }))
    const held = three.filter(({ truth, capacity }) => holds(capacity, truth)).length
    const narrower = three.filter(({ steps, capacity }) => width(capacity) < width(capacityOf('search', steps[0]!)!))
    expect(held).toBeGreaterThanOrEqual(14)
    expect(narrower.length).toBeGreaterThanOrEqual(12)
  })
})

test('where the pace changes by a tenth, three searches hold the true capacity in nine of ten', async () => {
  const [tries, truth] = [12, 40]
  let held = 0
  for (let attempt = 0; attempt < tries; attempt++) {
    const steps: Step[] = []
    for (let repeat = 1; repeat <= repeats; repeat++) {
      const seed = attempt * 100 + repeat
      const simulation = simulate(serverOf('fixed', truth, seed, uneven(0.1, random(seed))), slo)
      await driveLoad(capacity, simulation.measure)
      steps.push(...simulation.steps.map((step) => ({ ...step, repeat })))
    }
    if (holds(capacityOf('search', steps)!, truth)) held++
  }
  expect(held / tries).toBeGreaterThanOrEqual(0.9)
})
