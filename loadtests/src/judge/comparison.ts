import { costs, rounds, sidesOf, startsDifferBy } from './costs.ts'
import {
  corrected,
  difference,
  findingOf,
  fromRange,
  NOISE,
  pairedDifference,
  halfWidth,
  type Difference,
} from './difference.ts'
import type { Fit } from './estimate/estimate.ts'
import { ratioBetween } from './estimate/ratio.ts'
import { pairs } from './turns.ts'
import type { Comparison, Ratio } from '../model/summary.ts'
import type { Variant } from '../model/experiment.ts'
import { inSameCell, type Capacity, type Result } from '../model/result.ts'

/**
 * Compares every variant with the first one, or with the one that it ran beside, under the same workflow and in the
 * same cell. `fits`: of those that were loaded in turns.
 */
export function compare(results: Result[], variants: Variant[], fits = new Map<Result, Fit>()): Comparison[] {
  const besides = new Map(variants.flatMap(({ name, beside }) => (beside === undefined ? [] : [[name, beside]])))
  const against = (variant: string) => (besides.size > 0 ? besides.get(variant) : variants[0]?.name)
  return results.flatMap((result) => {
    const { workflow, cell, variant } = result
    const other = results.find((each) => each.variant === against(variant) && isSameCase(each, result))
    if (!other || other === result) return []
    const ratio = result.capacity && other.capacity ? result.capacity.rate / other.capacity.rate : null
    const found = inTurnsOf(fits.get(other), fits.get(result)) ?? differenceIn(other, result)
    const takes = besides.size > 0 ? takesOf(other, result) : []
    const measured = measuredRatios(other, result, found)
    return [
      {
        workflow,
        cell,
        baseline: other.variant,
        variant,
        ratio,
        ratioWithin:
          found && found.low !== null && found.high !== null ? { low: 1 + found.low, high: 1 + found.high } : null,
        ...Object.fromEntries(measured.map(({ measure, difference }) => [measure, ratioOf(difference)])),
        ...findingAmong(measured),
        ...(found && { relation: relationOf(found, other.capacity!, result.capacity!) }),
        ...(takes.length > 0 && { takes }),
      },
    ]
  })
}

/** The ratio of one figure, and how sure it is. */
interface Measured {
  measure: 'capacity' | 'throughput' | 'cpu'
  difference: Difference
}

/** All figures that tell how the two differ: what they sustain, and what they did in turns. */
function measuredRatios(before: Result, after: Result, found: Difference | null): Measured[] {
  const capacity = found && found.low !== null ? found : byIntervals(before.capacity, after.capacity)
  const paired = (['throughput', 'cpu'] as const).flatMap((measure): Measured[] => {
    const { own, others } = pairs(after, before, measure)
    return own.length < 2 ? [] : [{ measure, difference: pairedDifference(own, others, startsDifferBy) }]
  })
  return [...(capacity ? [{ measure: 'capacity' as const, difference: capacity }] : []), ...paired]
}

/** One machine at the same time, so what the fits have in common does not make them differ. */
function inTurnsOf(before: Fit | undefined, after: Fit | undefined): Difference | null {
  if (!before || !after) return null
  const { low, ratio, high } = ratioBetween(before, after)
  return fromRange(ratio, low, high)
}

const ratioOf = ({ share, low, high }: Difference): Ratio => ({ low: 1 + low!, ratio: 1 + share, high: 1 + high! })

/** Among several figures, chance would make one look different. The first that tells has it. */
function findingAmong(measured: Measured[]): Pick<Comparison, 'finding' | 'by'> {
  if (measured.length === 0) return {}
  const chances = corrected(measured.map(({ difference: { chance } }) => chance))
  const findings = measured.map(({ measure, difference: one }, index) => {
    const finding = findingOf(one, 0, chances[index]!)
    const better = measure === 'cpu' ? 'less' : 'more'
    return { by: measure, finding: finding === better ? 'better' : finding === 'unsure' ? finding : 'worse' } as const
  })
  const told = findings.find(({ finding }) => finding !== 'unsure')
  if (told) return told
  const isSame = measured.some(({ difference: one }) => one.least! > -NOISE && one.most! < NOISE)
  return { finding: isSame ? 'same' : 'unsure' }
}

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

type Relation = NonNullable<Comparison['relation']>

/** Repeats of one run differed by this much: two single runs that lie closer together show no difference. */
const oneRunTells = 0.3

/** The least and the most that a ratio may be, right 19 times in 20. */
interface Ends {
  low: number
  high: number | null
}

/** As both intervals leave it, since the searches err independently; null where one is not known. */
function endsByIntervals(before: Capacity, after: Capacity): Ends | null {
  const [was, is] = [before.interval, after.interval]
  if (!was?.high || !is?.low) return null
  const ratio = after.rate / before.rate
  const off = (one: number, other: number) => Math.exp(Math.hypot(Math.log(one), Math.log(other)))
  return {
    low: ratio / off(after.rate / is.low, was.high / before.rate),
    high: is.high && was.low > 0 ? ratio * off(is.high / after.rate, before.rate / was.low) : null,
  }
}

/** The same as a difference, with the chance that both are equal; null where an end is open. */
function byIntervals(before: Capacity | null, after: Capacity | null): Difference | null {
  const ends = before && after && endsByIntervals(before, after)
  if (!ends?.high) return null
  return fromRange(after!.rate / before!.rate, ends.low, ends.high)
}

/** How the capacity of one relates to that of the other, which its figures beside it must not belie. */
function relationOf(found: Difference, before: Capacity, after: Capacity): Relation {
  const { share } = found
  const [within, range] = [halfWidth(found), endsByIntervals(before, after)]
  const side = share > 0 ? 'more' : 'less'
  if (within === null) {
    const maySame = range !== null && range.low <= 1 && (range.high === null || range.high >= 1)
    return { tells: Math.abs(share) < oneRunTells || maySame ? 'nothing' : side, share, within, range }
  }
  const tells = findingOf(found, NOISE)
  const belied = tells === 'unsure' && share * (after.rate / before.rate - 1) < 0
  return { tells: belied ? 'nothing' : tells, share, within, range }
}

/** The capacities of several repeats; null where nothing held in one of them. */
function differenceIn(before: Result, after: Result): Difference | null {
  const all = [after.capacity?.repeats ?? [], before.capacity?.repeats ?? []] as const
  return all.every((repeats) => repeats.length > 0 && repeats.every((value) => value > 0)) ? difference(...all) : null
}
