import { isSameCase } from './comparison.ts'
import { costs, rounds, type Cost } from './costs.ts'
import { corrected, difference, limitsAt, pairedDifference, halfWidth, type Difference } from './difference.ts'
import { firstLook, levelAt } from './looks.ts'
import { median } from './statistics.ts'
import type { Variant } from '../model/experiment.ts'
import { inSameCell, type Result } from '../model/result.ts'
import type { Bounds, Gate, GateAsked, GateFigures, GateVerdict } from '../model/gate.ts'

/** Twice the usual difference between two runs of the same n8n, and half of a difference that matters to users. */
export const usualBounds: Bounds = { capacity: 0.08, memory: 0.15, cpu: 0.08 }

/** Above this difference between bare Node servers, the machines differ, not n8n. */
const alike = 0.15

/**
 * Whether anything got worse: against an earlier run, or against the first variant of this one. `looks`: the run asks
 * after each round and stops at the first answer.
 */
export function gateOf(
  order: GateAsked | null,
  results: Result[],
  variants: Variant[],
  calibration: number | null,
  looks = false,
): Gate | null {
  if (!order) return null
  const { bounds, earlier } = order
  const besides = variants.filter(({ beside }) => beside !== undefined)
  const asked =
    earlier || besides.length === 0
      ? byMedians(order, results, variants[0]?.name)
      : besides.flatMap((variant) => sideBySide(variant, results, bounds))
  // Among many figures, chance would make one look worse.
  const chances = corrected(asked.map((one) => ('found' in one ? one.found.chance : null)))
  const apart = apartOf(order, calibration)
  const how = { looks, elsewhere: apart !== null }
  const verdicts = asked.map((one, index): GateVerdict => {
    if ('found' in one) return judged(one, chances[index]!, how)
    return how.elsewhere ? { ...one, verdict: 'unsure' } : one
  })
  return { bounds, against: earlier?.id ?? null, verdicts, apart }
}

function byMedians({ bounds, earlier }: GateAsked, results: Result[], first: string | undefined): Asked[] {
  const before = earlier ? earlier.results : results.filter(({ variant }) => variant === first).map(measuredOf)
  const after = results.map(measuredOf).filter(({ variant }) => earlier || variant !== first)
  const baseline = earlier ? null : (first ?? null)
  return after.flatMap((now) => {
    const was = counterpart(now, before, earlier === null)
    if (!was) return [unmatched(now, baseline)]
    const capacity = { ...where(now, baseline), measure: 'capacity' as const, bound: bounds.capacity }
    const memory = { ...where(now, baseline), measure: 'memory' as const, bound: bounds.memory }
    return [onCapacity(capacity, was, now), onMemory(memory, was, now)].filter((verdict) => verdict !== null)
  })
}

/** What the same load costs both, round by round. p95 is too noisy on most machines to stop a release. */
function sideBySide({ name, beside = '' }: Variant, results: Result[], bounds: Bounds): Asked[] {
  return results
    .filter(({ variant }) => variant === name)
    .flatMap((now) => {
      const was = results.find((result) => result.variant === beside && isSameCase(result, now))
      if (!was) return [unmatched(now, beside)]
      const of = where(now, beside)
      const fallen = was.capacity && !now.capacity
      const verdicts = [
        fallen
          ? sustainsNoMore({ ...of, measure: 'capacity', bound: bounds.capacity }, 'does-not-sustain', null)
          : null,
        ...costs.map((cost) =>
          cost.name === 'p95' ? null : onCost({ ...of, measure: cost.name, bound: bounds[cost.name] }, cost, was, now),
        ),
      ].filter((verdict) => verdict !== null)
      return verdicts.length > 0
        ? verdicts
        : [withoutFigures({ ...of, measure: 'cpu', bound: bounds.cpu }, 'no-common-round')]
    })
}

const withoutFigures = (of: Figure, without: GateVerdict['without']): GateVerdict => ({
  ...of,
  was: null,
  now: null,
  change: null,
  within: null,
  verdict: 'unsure',
  without,
})

const sustainsNoMore = (of: Figure, without: GateVerdict['without'], was: number | null): GateVerdict => ({
  ...withoutFigures(of, without),
  was,
  change: -1,
  verdict: 'worse',
})

const unmatched = (now: Case, baseline: string | null): GateVerdict =>
  withoutFigures({ ...where(now, baseline), measure: 'capacity', bound: 0 }, 'no-counterpart')

function onCost(of: Figure, cost: Cost, was: Result, now: Result): Asked | null {
  const { own, others, off } = rounds(cost, now, was)
  // A bound that no turn could be held against has not passed.
  if (!own.length) return cost.name === 'cpu' && now.turns?.length ? withoutFigures(of, 'cpu-unseen') : null
  return { ...of, was: median(others), now: median(own), found: pairedDifference(own, others, off) }
}

/** What a later run needs from this one. */
export function measuredOf({ variant, workflow, cell, capacity, peaks }: Result): GateFigures {
  return { variant, workflow, cell, capacities: capacity?.repeats ?? [], peaks: peaks.filter((peak) => peak !== null) }
}

/** From an earlier run: the same variant, or its only one. From the same run: the first one. */
function counterpart(now: GateFigures, before: GateFigures[], sameRun: boolean): GateFigures | undefined {
  const alikes = before.filter((one) => one.workflow === now.workflow && inSameCell(one, now))
  return sameRun || alikes.length === 1 ? alikes[0] : alikes.find(({ variant }) => variant === now.variant)
}

function onCapacity(of: Figure, was: GateFigures, now: GateFigures): Asked | null {
  if (!was.capacities.length) return null
  if (!now.capacities.length) return sustainsNoMore(of, 'sustains-nothing', median(was.capacities))
  return onMedians(of, was.capacities, now.capacities)
}

const onMemory = (of: Figure, was: GateFigures, now: GateFigures): Asked | null =>
  was.peaks.length && now.peaks.length ? onMedians(of, was.peaks, now.peaks) : null

/** Chance alone makes an unchanged n8n look worse less than once in a hundred times, however often the gate looks. */
const worseByChance = 0.01
/** A change at the bound passes no more often than this. */
const passedByChance = 0.05

type Figure = Pick<GateVerdict, 'variant' | 'workflow' | 'cell' | 'baseline' | 'measure' | 'bound'>

/** The difference of one figure before all of them are judged together; or a verdict that needs no figures. */
type Asked = GateVerdict | (Figure & Pick<GateVerdict, 'was' | 'now'> & { found: Difference })

function onMedians(of: Figure, was: number[], now: number[]): Asked {
  const medians = { was: median(was), now: median(now) }
  // A repeat in which nothing held has no ratio to any other, so only the medians are compared.
  const found = [...was, ...now].every((value) => value > 0)
    ? difference(now, was)
    : difference([medians.now], [medians.was])
  return { ...of, ...medians, found }
}

/**
 * Worse: the change exceeds both the bound and what chance makes. Passed: it stays within the bound even at the far end
 * of its range. Otherwise the measurements do not decide it.
 */
function judged(
  { found, ...base }: Extract<Asked, { found: Difference }>,
  chance: number | null,
  { looks, elsewhere }: { looks: boolean; elsewhere: boolean },
): GateVerdict {
  const { bound, measure } = base
  const { share, rounds } = found
  const isCapacity = measure === 'capacity'
  const worse = isCapacity ? -share : share
  const at = (allowed: number) => (looks ? levelAt(rounds, allowed) : allowed)
  const limits = rounds < firstLook && looks ? null : limitsAt(at(passedByChance), found)
  const worst = limits && (isCapacity ? -limits.least : limits.most)
  const told = chance !== null && limits !== null && chance < 2 * at(worseByChance)
  // What differs between two machines is not what differs between two n8n.
  const verdict = elsewhere
    ? 'unsure'
    : told && worse > bound
      ? 'worse'
      : told && worse < -bound
        ? 'better'
        : worst !== null && worst <= bound
          ? 'passed'
          : 'unsure'
  return { ...base, change: share, within: halfWidth(found), verdict, without: null }
}

type Case = Pick<GateFigures, 'variant' | 'workflow' | 'cell'>

const where = ({ variant, workflow, cell }: Case, baseline: string | null) => ({ variant, workflow, cell, baseline })

/** By how much more a bare Node server answers here than where the earlier run was measured; null where it does not. */
function apartOf({ earlier }: GateAsked, calibration: number | null): number | null {
  if (!earlier?.calibration || !calibration) return null
  const apart = calibration / earlier.calibration - 1
  return Math.abs(apart) > alike ? apart : null
}
