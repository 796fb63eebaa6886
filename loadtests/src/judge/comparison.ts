import { costs, rounds, sidesOf, startsDifferBy } from './costs.ts'
import { difference, findingOf, fromRange, NOISE, pairedDifference, halfWidth, type Difference } from './difference.ts'
import { differenceUnderDrift, type Turn } from './drift.ts'
import { capacityWhenFull } from './estimate/estimate.ts'
import { turnsTogether } from './turns.ts'
import type { Comparison, Ratio } from '../model/summary.ts'
import type { Slo, Variant } from '../model/experiment.ts'
import { inSameCell, type Capacity, type Result } from '../model/result.ts'

/**
 * Compares every variant with the first one, or with the one that it ran beside, under the same workflow and in the
 * same cell.
 */
export function compare(results: Result[], variants: Variant[], slo: Pick<Slo, 'p95'>): Comparison[] {
  const besides = new Map(variants.flatMap(({ name, beside }) => (beside === undefined ? [] : [[name, beside]])))
  const against = (variant: string) => (besides.size > 0 ? besides.get(variant) : variants[0]?.name)
  return results.flatMap((result) => {
    const { workflow, cell, variant } = result
    const other = results.find((each) => each.variant === against(variant) && isSameCase(each, result))
    if (!other || other === result) return []
    const takes = besides.size > 0 ? takesOf(other, result) : []
    return [
      {
        workflow,
        cell,
        baseline: other.variant,
        variant,
        ...(comparedInTurns(other, result, slo) ?? comparedApart(other, result)),
        ...(takes.length > 0 && { takes }),
      },
    ]
  })
}

type Compared = Pick<Comparison, 'capacity' | 'follows' | 'throughput' | 'cpu' | 'finding' | 'by'>

/** What both did when they were full decides, in turns on one machine; null where they took none. */
function comparedInTurns(before: Result, after: Result, slo: Pick<Slo, 'p95'>): Compared | null {
  const throughput = differenceUnderDrift(turnsTogether(before, after, 'throughput'), startsDifferBy)
  const loaded = turnsTogether(before, after, 'cpu')
  // At a given load, which is the same for both, each turn is held against the one beside it.
  const cpu = throughput ? differenceUnderDrift(loaded, startsDifferBy) : inPairs(loaded.flat())
  if (!throughput && !cpu) return null
  const told = [throughput && findingOfRange(throughput, 'more'), cpu && findingOfRange(cpu, 'less')]
  const disagree = told.includes('better') && told.includes('worse')
  const by = disagree ? undefined : (['throughput', 'cpu'] as const)[told.findIndex(isTold)]
  const finding = by ? told.find(isTold)! : !disagree && told.includes('same') ? 'same' : 'unsure'
  const capacity = disagree ? null : followingFrom({ throughput, cpu, by, before, after, slo })
  return {
    ...(capacity && { capacity: ratioOf(capacity), follows: true }),
    ...(throughput && { throughput: ratioOf(throughput) }),
    ...(cpu && { cpu: ratioOf(cpu) }),
    finding,
    ...(by && { by }),
  }
}

function inPairs(turns: Turn[]): Difference | null {
  const valuesOf = (other: boolean) => turns.filter(({ isOther }) => isOther === other).map(({ value }) => value)
  const [before, after] = [valuesOf(false), valuesOf(true)]
  return after.length < 2 ? null : pairedDifference(after, before, startsDifferBy)
}

/** What they sustain, where each was measured by itself. */
function comparedApart({ capacity: before }: Result, { capacity: after }: Result): Compared {
  if (!before || !after) return {}
  const found = byRepeats(before, after) ?? byIntervals(before, after)
  if (!found) return { finding: 'unsure' }
  const finding = findingOfRange(found, 'more')
  return { capacity: ratioOf(found), finding, ...(isTold(finding) && { by: 'capacity' }) }
}

type Finding = NonNullable<Comparison['finding']>

const isTold = (finding: Finding | null) => finding === 'better' || finding === 'worse'

/** The one rule: what the range leaves open is not found. `good`: which side is the better one. */
function findingOfRange({ low, high }: Difference, good: 'more' | 'less'): Finding {
  if (low === null || high === null) return 'unsure'
  if (low > 0) return good === 'more' ? 'better' : 'worse'
  if (high < 0) return good === 'less' ? 'better' : 'worse'
  return low >= -NOISE && high <= NOISE ? 'same' : 'unsure'
}

const ratioOf = ({ share, low, high }: Difference): Ratio => ({ low: 1 + low!, ratio: 1 + share, high: 1 + high! })

interface InTurns {
  throughput: Difference | null
  cpu: Difference | null
  by: 'throughput' | 'cpu' | undefined
  before: Result
  after: Result
  slo: Pick<Slo, 'p95'>
}

/** What else than the throughput when full a capacity may go by, in logarithms. */
const followsWithin = 0.03

/** By what capacities differ, as it follows from the figure that decides; null where either has none. */
function followingFrom({ throughput, cpu, by, before, after, slo }: InTurns): Difference | null {
  const full = before.capacity?.estimate?.throughput
  if (!full || !after.capacity) return null
  const cpuDecides = cpu !== null && (by ?? 'cpu') === 'cpu' && ![before, after].some(isNotCpu)
  const found = cpuDecides ? inverse(cpu) : throughput
  if (!found) return null
  const early = [before, after].some(({ capacity }) => capacity!.estimate?.signs.includes('answers-before-work'))
  const atRatio = (ratio: number) => (early ? ratio : capacityWhenFull(full * ratio, slo) / capacityWhenFull(full, slo))
  const [low, ratio, high] = [found.low!, found.share, found.high!].map((share) => Math.log(atRatio(1 + share))) as [
    number,
    number,
    number,
  ]
  return fromRange(
    Math.exp(ratio),
    Math.exp(ratio - Math.hypot(ratio - low, followsWithin)),
    Math.exp(ratio + Math.hypot(high - ratio, followsWithin)),
  )
}

const isNotCpu = ({ capacity }: Result) => capacity!.estimate?.signs.includes('not-cpu') ?? true

const inverse = ({ share, low, high, ...rest }: Difference): Difference => ({
  ...rest,
  share: 1 / (1 + share) - 1,
  low: 1 / (1 + high!) - 1,
  high: 1 / (1 + low!) - 1,
})

export function isSameCase(a: Result, b: Result): boolean {
  return a.workflow === b.workflow && inSameCell(a, b)
}

/**
 * Where variants get the same load, the question is what that load costs each of them. Empty where one of
 * them never sustained it.
 */
function takesOf(before: Result, after: Result): NonNullable<Comparison['takes']> {
  return costs.flatMap((cost) => {
    const compared = rounds(cost, after, before)
    if (!compared.own.length) return []
    const found = pairedDifference(compared.own, compared.others, compared.off)
    return [
      {
        measure: cost.name,
        share: found.share,
        within: halfWidth(found),
        finding: findingOf(found, NOISE),
        sides: sidesOf(compared),
      },
    ]
  })
}

/** As both intervals leave it, since the searches err independently; null where one is not known, or open. */
function byIntervals(before: Capacity, after: Capacity): Difference | null {
  const [was, is] = [before.interval, after.interval]
  if (!was?.high || !is?.high || was.low <= 0 || is.low <= 0) return null
  const ratio = after.rate / before.rate
  const off = (one: number, other: number) => Math.exp(Math.hypot(Math.log(one), Math.log(other)))
  return fromRange(
    ratio,
    ratio / off(after.rate / is.low, was.high / before.rate),
    ratio * off(is.high / after.rate, before.rate / was.low),
  )
}

/** The capacities of several repeats; null with one of either, or where nothing held in one of them. */
function byRepeats(before: Capacity, after: Capacity): Difference | null {
  const all = [after.repeats, before.repeats] as const
  return all.every((repeats) => repeats.length > 1 && repeats.every((value) => value > 0)) ? difference(...all) : null
}
