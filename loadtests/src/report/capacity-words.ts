import { isValid } from '../judge/reasons.ts'
import { figure, latency, perSecond } from '../lib/figures.ts'
import type { Experiment } from '../model/experiment.ts'
import type { Capacity, Result } from '../model/result.ts'
import type { Step } from '../model/step.ts'

/** The words for a capacity: no more than was measured, each p95 beside its rate. */

/** `about 5/s (3.5 to 6.3)`; `at least 1/s`, where nothing broke it; `12/s`, where no range is known. */
export function capacityInWords({ rate, interval, estimate }: Capacity): string {
  if (interval && interval.high === null) return `at least ${perSecond(interval.low)}`
  const { low, high } = estimate?.capacity ?? { low: interval?.low, high: interval?.high }
  if (low === undefined || high === undefined || high === null) return perSecond(rate)
  return `about ${perSecond(rate)} (${figure(low)} to ${figure(high)})`
}

/** `723 ms at 4.9/s`: a p95 stands beside the rate at which it was measured. */
export function p95InWords(capacity: Capacity | null): string {
  if (!capacity || capacity.p95 === null) return '–'
  return `${latency(capacity.p95)}${capacity.p95At === undefined ? '' : ` at ${perSecond(capacity.p95At)}`}`
}

/** Of a search, the rates beside its capacity: `held at 3.2/s (p95 310 ms), missed at 4.9/s (p95 723 ms)`. */
export function triedInWords({ steps }: Result, { load }: Pick<Experiment, 'load'>): string {
  if (load.shape !== 'search') return ''
  const told = steps
    .filter((step) => step.purpose === 'measure' && step.load.rate !== null && isValid(step))
    .toSorted((a, b) => a.load.rate! - b.load.rate!)
  const held = told.findLast(({ holds }) => holds)
  const missed = told.find((step) => !step.holds && step.load.rate! > (held?.load.rate ?? 0))
  const at = (step: Step) =>
    `${perSecond(step.load.rate!)}${step.load.latency ? ` (p95 ${latency(step.load.latency.p95)})` : ''}`
  return [held && `held at ${at(held)}`, missed && `missed at ${at(missed)}`].filter(Boolean).join(', ')
}
