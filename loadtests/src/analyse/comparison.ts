import type { Comparison, Result } from './summary.ts'
import type { Load, Variant } from '../profile/experiment.ts'
import { figure, giveOrTake, moreOrLess, nameOf, rate, roughly } from '../figures.ts'
import { bothFigures, costs, moreByRounds, rounds } from './costs.ts'
import { noise } from './noise.ts'
import { died, fate } from './words.ts'

/** Every variant against the first one, or the one that it ran beside, under the same workflow and in the same cell. */
export function compare(results: Result[], variants: Variant[], shape: Load['shape']): Comparison[] {
  const besides = new Map(variants.flatMap(({ name, beside }) => (beside === undefined ? [] : [[name, beside]])))
  const against = (variant: string) => (besides.size > 0 ? besides.get(variant) : variants[0]?.name)
  return results.flatMap((result) => {
    const { workflow, cell, variant } = result
    const other = results.find((each) => each.variant === against(variant) && isSameCase(each, result))
    if (!other || other === result) return []
    const ratio = result.capacity && other.capacity ? result.capacity.rate / other.capacity.rate : null
    const takes = besides.size > 0 ? takesOf(other, result) : []
    const told = takes.length > 0 ? besideEachOther(takes, other, result) : sentence(other, result, shape)
    return [{ workflow, cell, baseline: other.variant, variant, ratio, ...(takes.length > 0 && { takes: takes.map(({ cost, share, within }) => ({ measure: cost.name, share, within })) }), text: `${workflow}: ${told}` }]
  })
}

export function isSameCase(a: Result, b: Result): boolean {
  return a.workflow === b.workflow && JSON.stringify(a.cell) === JSON.stringify(b.cell)
}

/** Side by side it is not asked what each carries, but what the same load takes; nothing where one of them never carried it. */
function takesOf(before: Result, after: Result) {
  return costs.flatMap((cost) => {
    const compared = rounds(cost, after, before)
    return compared.own.length ? [{ cost, compared, ...moreByRounds(compared.own, compared.others) }] : []
  })
}

function besideEachOther(takes: ReturnType<typeof takesOf>, before: Result, after: Result): string {
  const all = takes.map(({ cost, compared, share, within }) => {
    const size = Math.abs(share) <= within ? `${cost.what} within the noise of ${roughly(within)}` : `${moreOrLess(share)} ${cost.what}, ${giveOrTake(within)}`
    return `${size} (${bothFigures(cost, compared, (own, other) => `${own}, not ${other}`)})`
  })
  return `${nameOf(after)} beside ${nameOf(before)}: ${all.join('; ')}.`
}

function sentence(before: Result, after: Result, shape: Load['shape']): string {
  const verb = shape === 'closed' ? 'answers' : 'carries'
  const [was, is] = [nameOf(before), nameOf(after)]
  if (!before.capacity && !after.capacity) return `${was} ${fate(before)}; ${is} ${fate(after)}.`
  if (!before.capacity) return `${was} ${fate(before)}; ${is} ${verb} ${rate(after.capacity!.rate)}${but(after)}.`
  if (!after.capacity) return `${is} ${fate(after)}; ${was} ${verb} ${rate(before.capacity.rate)}${but(before)}.`
  const ratio = after.capacity.rate / before.capacity.rate
  return `${is} ${verb} ${rate(after.capacity.rate)}${but(after)}, `
    + `${relation(ratio, noise(before.capacity, after.capacity))} the ${rate(before.capacity.rate)} of ${was}${which(before)}.`
}

function relation(ratio: number, bound: number): string {
  if (Math.abs(ratio - 1) <= bound) return 'within the noise of'
  if (ratio >= 2) return `${figure(ratio)} times`
  return `${moreOrLess(ratio - 1)} than`
}

const but = (result: Result): string => (result.verdict.holds ? '' : ` but ${fate(result)}`)

const which = (result: Result): string => (!result.verdict.holds || died(result) ? `, which ${fate(result)}` : '')
