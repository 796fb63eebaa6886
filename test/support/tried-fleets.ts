import { latencyAt } from '../../loadtests/src/judge/fleet/model.ts'
import { smallest, usualSize } from '../../loadtests/src/judge/fleet/plan.ts'
import { measured, mostOf } from './fleet-looks.ts'
import { magnitude, random } from './random.ts'
import { simulate, type FleetSetup } from './simulated-fleet.ts'

type Setup = Omit<FleetSetup, 'rate' | 'workers' | 'processors'>

function randomSetup(seed: number, next: () => number): Setup {
  const between = (from: number, to: number) => from + (to - from) * next()
  return {
    seed,
    requests: 5000,
    demands: {
      webhook: magnitude(next, 0.004, 0.02),
      worker: magnitude(next, 0.01, 0.1),
      redis: magnitude(next, 0.0001, 0.0005),
      postgresql: magnitude(next, 0.001, 0.005),
    },
    cores: { webhook: between(0.4, 1), worker: between(0.4, 1), postgresql: 4 },
    slots: next() < 0.5 ? 10 : 5,
    crowded: between(1, 1.08),
    idle: between(0, 0.03),
    variation: [0.25, 0.5, 1, 1.5][Math.floor(next() * 4)]!,
    held: next() < 0.5 ? 0 : magnitude(next, 0.02, 0.5),
    ...(next() < 0.7 && { garbage: { cpu: between(0.03, 0.15), every: 40 } }),
  }
}

export interface Tried {
  /** Fleets whose smallest size met the objective. */
  met: number
  /** With one worker fewer it was missed. */
  missed: number
}

/** Random fleets measured with one and two workers, planned for a rate and an objective, and then simulated. */
export function tried(fleets: number): Tried {
  let [met, missed] = [0, 0]
  for (let nth = 0; nth < fleets; nth++) {
    const next = random(1000 + nth)
    const setup = randomSetup(nth, next)
    const fleet = measured(setup)
    const p95 = latencyAt(fleet, usualSize(fleet), 1).p95.middle * (1.3 + 1.7 * next())
    const rate = mostOf(setup) * (1.5 + 6 * next())
    const size = smallest(fleet, { rate, p95 })
    // Some objectives no number of workers meets, as Redis has one core.
    if (!size) continue
    const cores = { ...setup.cores, postgresql: Math.max(1, Math.ceil((setup.demands.postgresql * rate) / 0.7)) }
    const p95Of = (workers: number) =>
      simulate({ ...setup, cores, seed: 90_000 + nth, requests: 10_000, rate, processors: size.webhook, workers })
        .latency.p95
    if (p95Of(size.worker) <= p95) met++
    if (size.worker === 1 || p95Of(size.worker - 1) > p95) missed++
  }
  return { met, missed }
}
