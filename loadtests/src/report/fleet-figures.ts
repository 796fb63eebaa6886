import { figure, latency, percent, perSecond } from '../lib/figures.ts'
import {
  beyond,
  costOf,
  costOfMillion,
  predicted,
  rateWithin,
  stated,
  type Between,
  type Limited,
} from '../judge/fleet/model.ts'
import type { Price } from '../model/experiment.ts'
import type { Fleet, Size } from '../model/fleet.ts'

/**
 * What the capacity model says of one fleet, in words. The report's page runs this file with its sliders, and `plan`
 * prints the same: so both agree to the digit.
 */

export const partWords: Record<Limited, string> = {
  main: 'main',
  webhook: 'webhook processors',
  worker: 'workers',
  runner: 'task runners',
  redis: 'Redis',
  postgresql: 'PostgreSQL',
  slots: 'slots of the workers',
}

export interface FleetFigures {
  sustains: string
  p95: string
  mean: string
  use: string
  full: string
  cost: string
  beyond: string
}

/** The names of the figures, in the order in which they are read. */
export const figureNames: Record<keyof FleetFigures, string> = {
  sustains: 'Sustains within the objective',
  p95: 'p95',
  mean: 'Mean latency',
  use: 'In use',
  full: 'Full first',
  cost: 'Cost',
  beyond: 'Beyond what was measured',
}

/** `objective`: the p95 to meet, in milliseconds. `price`: of a month; null where nobody gave one. */
export function figuresOf(
  fleet: Fleet,
  { size, rate, objective, price }: { size: Size; rate: number; objective: number; price: Price | null },
): FleetFigures {
  const at = predicted(fleet, size, rate)
  const [first] = at.ends
  return {
    sustains: perSecond(rateWithin(fleet, size, objective / 1000)),
    p95: at.p95 ? between(at.p95) : unstated(rate, at.throughput),
    mean: at.mean === null ? unstated(rate, at.throughput) : latency(at.mean * 1000),
    use: at.use.map(({ what, share }) => `${partWords[what]} ${percent(share)}`).join(', '),
    full: first ? `${partWords[first.what]}, at ${perSecond(first.rate)}` : 'nothing that was measured',
    cost: costInWords(fleet, size, rate, price),
    beyond: beyondInWords(fleet, size, rate),
  }
}

const between = ({ low, middle, high }: Between) =>
  `${latency(middle * 1000)} (${latency(low * 1000)} to ${latency(high * 1000)})`

const unstated = (rate: number, throughput: Between) =>
  rate >= throughput.middle ? 'grows without end' : `not stated above ${percent(stated)} of the throughput`

export function costInWords(fleet: Fleet, size: Size, rate: number, price: Price | null): string {
  const [cores, gibibytes] = [
    { cpu: 1, memory: 0 },
    { cpu: 0, memory: 1 },
  ].map((one) => costOf(fleet, size, rate, one))
  const limits =
    cores === null || gibibytes === null
      ? 'not known, as some limits are not'
      : `${figure(cores!)} cores and ${figure(gibibytes!)} GiB of limits`
  if (price === null) return `${limits}; no price was given`
  const cost = costOf(fleet, size, rate, price)
  return cost === null
    ? limits
    : `${figure(cost)} a month, ${figure(costOfMillion(cost, rate))} a million executions (${limits})`
}

function beyondInWords(fleet: Fleet, size: Size, rate: number): string {
  const times = beyond(fleet, size, rate)
  const parts = [
    ...(times.rate > 1 ? [`${figure(times.rate)} times the rate`] : []),
    ...(times.workers > 1 ? [`${figure(times.workers)} times the workers`] : []),
  ]
  return parts.length ? `${parts.join(' and ')} that were measured` : 'nothing: within what was measured'
}
