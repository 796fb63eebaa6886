import { plusOrMinus, memory, nameOf, percent, perSecond, roughly } from '../lib/figures.ts'
import { isSameCase } from './comparison.ts'
import { costs, rounds, type Cost } from './costs.ts'
import { corrected, difference, limitsAt, pairedDifference, halfWidth, type Difference } from './difference.ts'
import { firstLook, levelAt } from './looks.ts'
import { median } from './statistics.ts'
import { fate } from './words.ts'
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
  const warning = otherMachine(order, calibration)
  const how = { looks, elsewhere: warning !== null }
  const verdicts = asked.map((one, index): GateVerdict => {
    if ('found' in one) return judged(one, chances[index]!, how)
    return how.elsewhere ? { ...one, verdict: 'unsure' } : one
  })
  return { bounds, against: earlier?.id ?? null, verdicts, warning }
}

function byMedians({ bounds, earlier }: GateAsked, results: Result[], baseline: string | undefined): Asked[] {
  const before = earlier ? earlier.results : results.filter(({ variant }) => variant === baseline).map(measuredOf)
  const after = results.map(measuredOf).filter(({ variant }) => earlier || variant !== baseline)
  return after.flatMap((now) => {
    const was = counterpart(now, before, earlier === null)
    return was
      ? [onCapacity(was, now, bounds.capacity), onMemory(was, now, bounds.memory)].filter((verdict) => verdict !== null)
      : [unmatched(now, earlier ? 'the earlier run' : `${baseline}`)]
  })
}

/** What the same load costs both, round by round. p95 is too noisy on most machines to stop a release. */
function sideBySide({ name, beside }: Variant, results: Result[], bounds: Bounds): Asked[] {
  return results
    .filter(({ variant }) => variant === name)
    .flatMap((now) => {
      const was = results.find((result) => result.variant === beside && isSameCase(result, now))
      if (!was) return [unmatched(now, `${beside}`)]
      const verdicts = [
        onSustaining(was, now, bounds.capacity),
        ...costs.map((cost) => (cost.name === 'p95' ? null : onCost(cost, was, now, bounds[cost.name]))),
      ].filter((verdict) => verdict !== null)
      return verdicts.length
        ? verdicts
        : [
            {
              ...where(now),
              measure: 'cpu',
              bound: bounds.cpu,
              change: null,
              within: null,
              verdict: 'unsure',
              text: `${naming(now)}: no round was sustained by both.`,
            },
          ]
    })
}

function onSustaining(was: Result, now: Result, bound: number): GateVerdict | null {
  if (!was.capacity || now.capacity) return null
  return sustainsNoMore(now, bound, `${fate(now)}, where ${was.variant} sustains it.`)
}

const sustainsNoMore = (now: Parameters<typeof where>[0], bound: number, how: string): GateVerdict => ({
  ...where(now),
  measure: 'capacity',
  bound,
  change: -1,
  within: null,
  verdict: 'worse',
  text: `${naming(now)} ${how}`,
})

/** A bound that no turn could be held against has not passed. */
const hiddenCpu = (now: Result, bound: number): GateVerdict => ({
  ...where(now),
  measure: 'cpu',
  bound,
  change: null,
  within: null,
  verdict: 'unsure',
  text: `${naming(now)}: no turn tells the CPU of requests from n8n’s own use. A higher --rate may show it.`,
})

function onCost(cost: Cost, was: Result, now: Result, bound: number): Asked | null {
  const { own, others, off } = rounds(cost, now, was)
  if (!own.length) return cost.name === 'cpu' && now.turns?.length ? hiddenCpu(now, bound) : null
  const figures = `${cost.what} ${cost.write(median(own))}, was ${cost.write(median(others))}`
  return {
    ...where(now),
    measure: cost.name as GateVerdict['measure'],
    bound,
    found: pairedDifference(own, others, off),
    figures,
  }
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

function onCapacity(was: GateFigures, now: GateFigures, bound: number): Asked | null {
  if (!was.capacities.length) return null
  if (!now.capacities.length)
    return sustainsNoMore(now, bound, `sustains nothing, where ${perSecond(median(was.capacities))} was sustained.`)
  return onMedians({ ...where(now), measure: 'capacity', bound }, was.capacities, now.capacities, perSecond)
}

function onMemory(was: GateFigures, now: GateFigures, bound: number): Asked | null {
  if (!was.peaks.length || !now.peaks.length) return null
  return onMedians({ ...where(now), measure: 'memory', bound }, was.peaks, now.peaks, memory)
}

/** Chance alone makes an unchanged n8n look worse less than once in a hundred times, however often the gate looks. */
const worseByChance = 0.01
/** A change at the bound passes no more often than this. */
const passedByChance = 0.05

type Figure = Pick<GateVerdict, 'variant' | 'workflow' | 'cell' | 'measure' | 'bound'>

/** The difference of one figure before all of them are judged together; or a verdict that needs no figures. */
type Asked = GateVerdict | (Figure & { found: Difference; figures: string })

function onMedians(base: Figure, was: number[], now: number[], write: (value: number) => string): Asked {
  // A repeat in which nothing held has no ratio to any other, so only the medians are compared.
  const found = [...was, ...now].every((value) => value > 0)
    ? difference(now, was)
    : difference([median(now)], [median(was)])
  return { ...base, found, figures: `${base.measure} ${write(median(now))}, was ${write(median(was))}` }
}

/**
 * Worse: the change exceeds both the bound and what chance makes. Passed: it stays within the bound even at the far end
 * of its range. Otherwise the measurements do not decide it.
 */
function judged(
  { found, figures, ...base }: Extract<Asked, { found: Difference }>,
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
  const said = {
    worse: `beyond the bound of ${percent(bound)}`,
    better: 'better',
    passed: `no worse beyond the bound of ${percent(bound)}`,
    unsure: elsewhere
      ? 'the machines differ, so that decides nothing'
      : found.error === null
        ? 'what it may be off by is not known of one run'
        : `whether that is beyond the bound of ${percent(bound)} cannot be said`,
  }[verdict]
  const change = `${share < 0 ? '−' : '+'}${roughly(Math.abs(share))}, ${plusOrMinus(halfWidth(found))}`
  return {
    ...base,
    change: share,
    within: halfWidth(found),
    verdict,
    text: `${naming(base)}: ${figures} (${change}): ${said}.`,
  }
}

function unmatched(now: Case, was: string): GateVerdict {
  return {
    ...where(now),
    measure: 'capacity',
    bound: 0,
    change: null,
    within: null,
    verdict: 'unsure',
    text: `${naming(now)}: ${was} has no result to compare with.`,
  }
}

type Case = Pick<GateFigures, 'variant' | 'workflow' | 'cell'>

const where = ({ variant, workflow, cell }: Case) => ({ variant, workflow, cell })

const naming = (of: Case) => `${of.workflow}, ${nameOf(of)}`

function otherMachine({ earlier }: GateAsked, calibration: number | null): string | null {
  if (!earlier?.calibration || !calibration) return null
  const apart = calibration / earlier.calibration - 1
  if (Math.abs(apart) <= alike) return null
  return (
    `A bare Node server answers ${roughly(Math.abs(apart))} ${apart < 0 ? 'less' : 'more'} here than `
    + `where ${earlier.id} was measured: the machines differ, and the comparison says little.`
  )
}
