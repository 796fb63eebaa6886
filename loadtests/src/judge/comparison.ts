import { about, figure, plusOrMinus, moreOrLess, nameOf, percent, plusMinus, perSecond } from '../lib/figures.ts'
import { bothFigures, costs, rounds, startsDifferBy } from './costs.ts'
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
import { died, fate } from './words.ts'
import type { Load } from '../model/load.ts'
import type { Variant } from '../model/experiment.ts'
import { inSameCell, type Capacity, type Result } from '../model/result.ts'

/**
 * Compares every variant with the first one, or with the one that it ran beside, under the same workflow and in the
 * same cell. `fits`: of those that were loaded in turns.
 */
export function compare(
  results: Result[],
  variants: Variant[],
  shape: Load['shape'],
  fits = new Map<Result, Fit>(),
): Comparison[] {
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
    const finding = findingAmong(measured)
    const told =
      takes.length > 0
        ? besideEachOther(takes, other, result)
        : (byTurns(other, result, measured, finding)
          ?? [sentence(other, result, found, shape), ...inTurns(measured)].join(' '))
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
        ...finding,
        ...(takes.length > 0 && {
          takes: takes.map(({ cost, found }) => ({ measure: cost.name, share: found.share, within: halfWidth(found) })),
        }),
        text: `${workflow}: ${told}`,
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

/** Where the turns tell which is better and the capacities do not; null elsewhere. */
function byTurns(
  before: Result,
  after: Result,
  measured: Measured[],
  { finding, by }: ReturnType<typeof findingAmong>,
): string | null {
  if (!before.capacity || !after.capacity || by === undefined || by === 'capacity') return null
  const [was, is] = [nameOf(before), nameOf(after)]
  return (
    `${is} is ${finding} than ${was}. ${inTurns(measured).join(' ')} `
    + `It sustains ${perSecond(after.capacity.rate)}${but(after)}, `
    + `${was} ${perSecond(before.capacity.rate)}${but(before)}: `
    + 'that alone would not tell.'
  )
}

/** What was measured in turns: half a sentence a figure. */
function inTurns(measured: Measured[]): string[] {
  const said = measured.flatMap(({ measure, difference: one }) => {
    const off = plusOrMinus(halfWidth(one))
    if (measure === 'throughput') return [`${figure(1 + one.share)} times the throughput when full, ${off}`]
    return measure === 'cpu' ? [`${moreOrLess(one.share)} CPU a request, ${off}`] : []
  })
  return said.length ? [`In turns: ${said.join('; ')}.`] : []
}

export function isSameCase(a: Result, b: Result): boolean {
  return a.workflow === b.workflow && inSameCell(a, b)
}

/**
 * Where variants get the same load, the question is what that load costs each of them. Empty where one of
 * them never sustained it.
 */
function takesOf(before: Result, after: Result) {
  return costs.flatMap((cost) => {
    const compared = rounds(cost, after, before)
    return compared.own.length
      ? [{ cost, compared, found: pairedDifference(compared.own, compared.others, compared.off) }]
      : []
  })
}

function besideEachOther(takes: ReturnType<typeof takesOf>, before: Result, after: Result): string {
  const all = takes.map(({ cost, compared, found }) => {
    const { share } = found
    const finding = findingOf(found, NOISE)
    const size =
      finding === 'same'
        ? `no difference beyond ${percent(NOISE)} in ${cost.what}`
        : `${finding === 'unsure' ? 'unsure: ' : ''}${moreOrLess(share)} ${cost.what}, ${plusOrMinus(halfWidth(found))}`
    return `${size} (${bothFigures(cost, compared, (own, other) => `${own}, not ${other}`)})`
  })
  return `${nameOf(after)} beside ${nameOf(before)}: ${all.join('; ')}.`
}

function sentence(before: Result, after: Result, found: Difference | null, shape: Load['shape']): string {
  const verb = shape === 'closed' ? 'answers' : 'sustains'
  const [was, is] = [nameOf(before), nameOf(after)]
  if (!before.capacity && !after.capacity) return `${was} ${fate(before)}; ${is} ${fate(after)}.`
  if (!before.capacity) return `${was} ${fate(before)}; ${is} ${verb} ${perSecond(after.capacity!.rate)}${but(after)}.`
  if (!after.capacity) return `${is} ${fate(after)}; ${was} ${verb} ${perSecond(before.capacity.rate)}${but(before)}.`
  const shown = after.capacity.rate / before.capacity.rate - 1
  const [how, doubt] = found ? relation(found, shown, endsByIntervals(before.capacity, after.capacity)) : ['beside', '']
  return (
    `${is} ${verb} ${perSecond(after.capacity.rate)}${but(after)}, ${how} the ${perSecond(before.capacity.rate)} `
    + `of ${was}${doubt}${which(before)}.`
  )
}

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

const endsInWords = ({ low, high }: Ends) =>
  high === null ? `at least ${figure(low)}` : `${figure(low)} to ${figure(high)}`

/** How one variant relates to the other, and any doubt to add after both names. `shown`: by the rates beside it. */
function relation(found: Difference, shown: number, ends: Ends | null): [how: string, doubt: string] {
  const { share, low, high } = found
  const off = halfWidth(found)
  if (off === null || low === null || high === null) {
    const doubt = ` (${ends ? `${endsInWords(ends)} times, by ` : ''}one run each)`
    const maySame = ends !== null && ends.low <= 1 && (ends.high === null || ends.high >= 1)
    if (Math.abs(share) < oneRunTells || maySame) return ['no clear difference from', doubt]
    return [
      share >= 1
        ? `${about(1 + share)} times`
        : `${about(Math.abs(share) * 100)} % ${share > 0 ? 'more' : 'less'} than`,
      doubt,
    ]
  }
  const finding = findingOf(found, NOISE)
  if (finding === 'same') return [`no difference beyond ${percent(NOISE)} from`, '']
  if (finding === 'unsure' && share * shown < 0) return ['no clear difference from', '']
  const doubt = finding === 'unsure' ? ': unsure' : ''
  if (share >= 1) return [`${plusMinus(1 + share, off)} times`, doubt]
  return [`${plusMinus(Math.abs(share) * 100, off * 100)} % ${share > 0 ? 'more' : 'less'} than`, doubt]
}

/** The capacities of several repeats; null where nothing held in one of them. */
function differenceIn(before: Result, after: Result): Difference | null {
  const all = [after.capacity?.repeats ?? [], before.capacity?.repeats ?? []] as const
  return all.every((repeats) => repeats.length > 0 && repeats.every((value) => value > 0)) ? difference(...all) : null
}

const but = (result: Result): string => (result.verdict.holds ? '' : ` but ${fate(result)}`)

const which = (result: Result): string =>
  !result.verdict.holds || died(result.verdict.reasons) ? `, which ${fate(result)}` : ''
