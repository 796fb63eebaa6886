import type { Bounds, Gate, GateOrder, GateVerdict, Measured, Result } from './summary.ts'
import type { Variant } from '../profile/experiment.ts'
import { memory, nameOf, percent, rate, roughly } from '../figures.ts'
import { isSameCase } from './comparison.ts'
import { costs, moreByRounds, rounds, type Cost } from './costs.ts'
import { noise } from './noise.ts'
import { median, spread } from './statistics.ts'
import { fate } from './words.ts'

/** Bare Node servers on two machines that differ by more say that the machines do. */
const alike = 0.15

/** Whether anything got worse: against an earlier run, or against the first variant of this one. */
export function gateOf(order: GateOrder | null, results: Result[], variants: Variant[], calibration: number | null): Gate | null {
  if (!order) return null
  const { bounds, earlier } = order
  const besides = variants.filter(({ beside }) => beside !== undefined)
  const verdicts = earlier || besides.length === 0 ? byMedians(order, results, variants[0]?.name) : besides.flatMap((variant) => sideBySide(variant, results, bounds))
  return { bounds, against: earlier?.id ?? null, verdicts, warning: otherMachine(order, calibration) }
}

function byMedians({ bounds, earlier }: GateOrder, results: Result[], baseline: string | undefined): GateVerdict[] {
  const before = earlier ? earlier.results : results.filter(({ variant }) => variant === baseline).map(measuredOf)
  const after = results.map(measuredOf).filter(({ variant }) => earlier || variant !== baseline)
  return after.flatMap((now) => {
    const was = counterpart(now, before, earlier === null)
    return was ? [onCapacity(was, now, bounds.capacity), onMemory(was, now, bounds.memory)].filter((verdict) => verdict !== null) : [unmatched(now, earlier ? 'the earlier run' : `${baseline}`)]
  })
}

/** What the same load takes of both, round by round. p95 says too little on most machines to stop anything. */
function sideBySide({ name, beside }: Variant, results: Result[], bounds: Bounds): GateVerdict[] {
  return results.filter(({ variant }) => variant === name).flatMap((now) => {
    const was = results.find((result) => result.variant === beside && isSameCase(result, now))
    if (!was) return [unmatched(now, `${beside}`)]
    const verdicts = [onCarrying(was, now, bounds.capacity), ...costs.map((cost) => (cost.name === 'p95' ? null : onCost(cost, was, now, bounds[cost.name])))].filter((verdict) => verdict !== null)
    return verdicts.length ? verdicts : [{ ...where(now), measure: 'cpu', bound: bounds.cpu, change: null, within: null, verdict: 'unsure', text: `${naming(now)}: there is no round that both carried.` }]
  })
}

function onCarrying(was: Result, now: Result, bound: number): GateVerdict | null {
  if (!was.capacity || now.capacity) return null
  return { ...where(now), measure: 'capacity', bound, change: -1, within: null, verdict: 'worse', text: `${naming(now)} ${fate(now)}, where ${was.variant} carries it.` }
}

function onCost(cost: Cost, was: Result, now: Result, bound: number): GateVerdict | null {
  const { own, others } = rounds(cost, now, was)
  if (!own.length) return null
  const { share: change, within } = moreByRounds(own, others)
  const base = { ...where(now), measure: cost.name as GateVerdict['measure'], bound, change, within }
  return judged(base, change, `${cost.what} ${cost.write(median(own))}, was ${cost.write(median(others))}`, `it may be off by ${roughly(within)}`)
}

/** What a later run needs of this one. */
export function measuredOf({ variant, workflow, cell, capacity, peaks }: Result): Measured {
  return { variant, workflow, cell, capacities: capacity?.repeats ?? [], peaks }
}

/** Of an earlier run the same variant, or its only one; of the same run the first. */
function counterpart(now: Measured, before: Measured[], sameRun: boolean): Measured | undefined {
  const alikes = before.filter(({ workflow, cell }) => workflow === now.workflow && JSON.stringify(cell) === JSON.stringify(now.cell))
  return sameRun || alikes.length === 1 ? alikes[0] : alikes.find(({ variant }) => variant === now.variant)
}

function onCapacity(was: Measured, now: Measured, bound: number): GateVerdict | null {
  if (!was.capacities.length) return null
  if (!now.capacities.length) return { ...where(now), measure: 'capacity', bound, change: -1, within: null, verdict: 'worse', text: `${naming(now)} carries nothing, where ${rate(median(was.capacities))} was carried.` }
  return onMedians({ ...where(now), measure: 'capacity', bound }, was.capacities, now.capacities, rate)
}

function onMemory(was: Measured, now: Measured, bound: number): GateVerdict | null {
  if (!was.peaks.length || !now.peaks.length) return null
  return onMedians({ ...where(now), measure: 'memory', bound }, was.peaks, now.peaks, memory)
}

type Judged = Omit<GateVerdict, 'verdict' | 'text'>

function onMedians(base: Omit<Judged, 'change' | 'within'>, was: number[], now: number[], write: (value: number) => string): GateVerdict {
  const change = median(now) / median(was) - 1
  const within = noise({ spread: spread(was) }, { spread: spread(now) })
  return judged({ ...base, change, within }, base.measure === 'capacity' ? -change : change, `${base.measure} ${write(median(now))}, was ${write(median(was))}`, `repeats lie ${roughly(within)} apart`)
}

/**
 * Worse is what is worse by more than the bound and by more than it may be off by. Beyond the bound, but within what
 * it may be off by, nothing can be said.
 */
function judged(base: Judged & { change: number; within: number }, worse: number, figures: string, but: string): GateVerdict {
  const { bound, change, within } = base
  const verdict = worse <= bound ? 'passed' : worse <= within ? 'unsure' : 'worse'
  const said = { passed: `within the bound of ${percent(bound)}`, unsure: `beyond the bound of ${percent(bound)}, but ${but}`, worse: `beyond the bound of ${percent(bound)}` }[verdict]
  return { ...base, verdict, text: `${naming(base)}: ${figures} (${change < 0 ? '−' : '+'}${roughly(Math.abs(change))}): ${said}.` }
}

function unmatched(now: Case, was: string): GateVerdict {
  return { ...where(now), measure: 'capacity', bound: 0, change: null, within: null, verdict: 'unsure', text: `${naming(now)}: there is nothing of ${was} to hold it against.` }
}

type Case = Pick<Measured, 'variant' | 'workflow' | 'cell'>

const where = ({ variant, workflow, cell }: Case) => ({ variant, workflow, cell })

const naming = (of: Case) => `${of.workflow}, ${nameOf(of)}`

function otherMachine({ earlier }: GateOrder, calibration: number | null): string | null {
  if (!earlier?.calibration || !calibration) return null
  const apart = calibration / earlier.calibration - 1
  if (Math.abs(apart) <= alike) return null
  return `A bare Node server carries ${roughly(Math.abs(apart))} ${apart < 0 ? 'less' : 'more'} here than where ${earlier.id} was measured: the machines differ, and the comparison says little.`
}
