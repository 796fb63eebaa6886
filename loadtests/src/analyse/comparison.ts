import type { Comparison, Result } from './summary.ts'
import type { Load, Variant } from '../profile/experiment.ts'
import { figure, nameOf, rate, roughly } from '../figures.ts'
import { bothFigures, costs, giveOrTake, moreByRounds, rounds } from './costs.ts'
import { noise } from './noise.ts'
import { died, fate } from './words.ts'

/** Every variant against the first one, under the same workflow and in the same cell. */
export function compare(results: Result[], variants: Variant[], shape: Load['shape']): Comparison[] {
  const baseline = variants[0]?.name ?? ''
  const besides = new Set(variants.filter(({ beside }) => beside === baseline).map(({ name }) => name))
  return results.filter((result) => result.variant !== baseline).flatMap((result) => {
    const other = results.find((each) => each.variant === baseline && isSameCase(each, result))
    if (!other) return []
    const ratio = result.capacity && other.capacity ? result.capacity.rate / other.capacity.rate : null
    const told = (besides.has(result.variant) && takes(other, result)) || sentence(other, result, shape)
    return [{ workflow: result.workflow, cell: result.cell, baseline, variant: result.variant, ratio, text: `${result.workflow}: ${told}` }]
  })
}

export function isSameCase(a: Result, b: Result): boolean {
  return a.workflow === b.workflow && JSON.stringify(a.cell) === JSON.stringify(b.cell)
}

/** Side by side it is not asked what each carries, but what the same load takes; null where one of them did not carry it. */
function takes(before: Result, after: Result): string | null {
  const all = costs.flatMap((cost) => {
    const compared = rounds(cost, after, before)
    if (!compared.own.length) return []
    const { share, within } = moreByRounds(compared.own, compared.others)
    const size = Math.abs(share) <= within ? `${cost.what} within the noise of ${roughly(within)}` : `${roughly(Math.abs(share))} ${share > 0 ? 'more' : 'less'} ${cost.what}, ${giveOrTake(within)}`
    return [`${size} (${bothFigures(cost, compared, (own, other) => `${own}, not ${other}`)})`]
  })
  return all.length ? `${nameOf(after)} beside ${nameOf(before)}: ${all.join('; ')}.` : null
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
  return ratio > 1 ? `${roughly(ratio - 1)} more than` : `${roughly(1 - ratio)} less than`
}

const but = (result: Result): string => (result.verdict.holds ? '' : ` but ${fate(result)}`)

const which = (result: Result): string => (!result.verdict.holds || died(result) ? `, which ${fate(result)}` : '')
