import type { Fleet } from '../../model/fleet.ts'
import type { FleetOf } from '../../model/summary.ts'
import type { Slo } from '../../model/experiment.ts'
import { estimateOf, fitIn, isOpen } from '../estimate/estimate.ts'
import type { Gathered } from '../gather.ts'
import { sum } from '../statistics.ts'
import { inQueueMode, secondsOutside, tagOf } from './fleets.ts'
import { measuredOn, usualFleet } from './kinds.ts'

/** What runs in regular mode say of a fleet: the demand of an execution. What queue mode adds is as it usually is. */

export interface Regular {
  of: Gathered
  /** CPU seconds of an execution, with its ± 9 times in 10. */
  demand: Fleet['regular']
}

export function regularsOf(all: Gathered[], slo: Slo): Regular[] {
  return all.flatMap((of) => {
    if (inQueueMode(of)) return []
    const { demand } = estimateOf({ steps: of.steps, samples: of.samples.flatMap((some) => [...some]), slo }) ?? {}
    return demand ? [{ of, demand: { seconds: demand.cpu, within: (demand.high - demand.low) / 2 } }] : []
  })
}

/** Of what one process takes, a worker does all but what a processor does; by how much that differs is not measured. */
const atProcessor = 0.005
const unlike = 0.25

/** `bare`: requests a second of a bare server on that machine; null where it was not measured. */
export function fleetOfRegular({ of, demand }: Regular, slo: Slo, bare: number | null): FleetOf {
  const speed = bare === null ? 1 : bare / measuredOn.bare
  const { seconds, within } = demand
  const worker = Math.max(0.3 * seconds, seconds - atProcessor / speed)
  const fit = fitIn({ steps: of.steps, samples: of.samples.flatMap((some) => [...some]), slo })
  const waits = fit ? sum([0, ...fit.nodes.map(({ chance, delay }) => chance * delay)]) : 0
  const usual = usualFleet({
    worker: { seconds: worker * speed, within: Math.hypot(within ?? 0, unlike * worker) * speed },
    held: secondsOutside([of]) ?? waits,
    speed,
  })
  const measured = of.steps.filter(isOpen)
  const rates = measured.map(({ load }) => load.throughput)
  return {
    ...usual,
    variant: of.variant,
    workflow: of.workflow,
    tag: tagOf(of.values),
    steps: rates.length,
    rates: { least: Math.min(...rates), most: Math.max(...rates) },
    fromCallers: measured.some(({ load }) => load.arrivals === 'random'),
    regular: demand,
    basis: 'regular',
  }
}
