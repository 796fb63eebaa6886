import type { Gate, GateOrder, GateVerdict, Measured, Result } from './summary.ts'
import { memory, nameOf, percent, rate, roughly } from '../figures.ts'
import { median, spread } from './statistics.ts'

/** Two runs of the same thing may differ by this much, even where their repeats agree more closely. */
const noise = 0.05
/** Bare Node servers on two machines that differ by more say that the machines do. */
const alike = 0.15

/** Whether anything got worse: against an earlier run, or against the first variant of this one. */
export function gateOf(order: GateOrder | null, results: Result[], baseline: string, calibration: number | null): Gate | null {
  if (!order) return null
  const before = order.earlier ? order.earlier.results : results.filter(({ variant }) => variant === baseline).map(measuredOf)
  const after = results.map(measuredOf).filter(({ variant }) => order.earlier || variant !== baseline)
  const pairs = after.map((now) => ({ now, was: counterpart(now, before, order.earlier === null) }))
  const verdicts = pairs.flatMap(({ now, was }) => (was ? [onCapacity(was, now, order.bounds.capacity), onMemory(was, now, order.bounds.memory)] : [unmatched(now)]))
  return { bounds: order.bounds, against: order.earlier?.id ?? null, verdicts: verdicts.filter((verdict) => verdict !== null), warning: otherMachine(order, calibration) }
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
  const base = { ...where(now), measure: 'capacity' as const, bound }
  if (!was.capacities.length) return null
  if (!now.capacities.length) return { ...base, change: -1, within: null, verdict: 'worse', text: `${naming(now)} carries nothing, where ${rate(median(was.capacities))} was carried.` }
  return judged(base, was.capacities, now.capacities, -1, rate)
}

function onMemory(was: Measured, now: Measured, bound: number): GateVerdict | null {
  if (!was.peaks.length || !now.peaks.length) return null
  return judged({ ...where(now), measure: 'memory', bound }, was.peaks, now.peaks, 1, memory)
}

/**
 * Worse is what is worse by more than the bound and by more than the repeats lie apart. Beyond the bound, but within
 * what the repeats lie apart, nothing can be said.
 */
function judged(base: Pick<GateVerdict, 'variant' | 'workflow' | 'cell' | 'measure' | 'bound'>, was: number[], now: number[], bad: 1 | -1, write: (value: number) => string): GateVerdict {
  const change = median(now) / median(was) - 1
  const within = Math.max(noise, spread(was) ?? 0, spread(now) ?? 0)
  const worse = change * bad
  const verdict = worse <= base.bound ? 'passed' : worse <= within ? 'unsure' : 'worse'
  const figures = `${base.measure} ${write(median(now))}, was ${write(median(was))}`
  const said = { passed: `within the bound of ${percent(base.bound)}`, unsure: `beyond the bound of ${percent(base.bound)}, but repeats lie ${roughly(within)} apart`, worse: `beyond the bound of ${percent(base.bound)}` }[verdict]
  return { ...base, change, within, verdict, text: `${naming(base)}: ${figures} (${change < 0 ? '−' : '+'}${roughly(Math.abs(change))}): ${said}.` }
}

function unmatched(now: Measured): GateVerdict {
  return { ...where(now), measure: 'capacity', bound: 0, change: null, within: null, verdict: 'unsure', text: `${naming(now)}: the earlier run did not measure it.` }
}

const where = ({ variant, workflow, cell }: Measured) => ({ variant, workflow, cell })

const naming = (of: Pick<Measured, 'variant' | 'workflow' | 'cell'>) => `${of.workflow}, ${nameOf(of)}`

function otherMachine({ earlier }: GateOrder, calibration: number | null): string | null {
  if (!earlier?.calibration || !calibration) return null
  const apart = calibration / earlier.calibration - 1
  if (Math.abs(apart) <= alike) return null
  return `A bare Node server carries ${roughly(Math.abs(apart))} ${apart < 0 ? 'less' : 'more'} here than where ${earlier.id} was measured: the machines differ, and the comparison says little.`
}
