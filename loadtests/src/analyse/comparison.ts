import type { Capacity, Comparison, Result } from './summary.ts'
import type { Load } from '../profile/experiment.ts'
import { figure, nameOf, rate, roughly } from '../figures.ts'
import { died, fate } from './words.ts'

/** Differences below this are not worth a claim, even where repeats agree more closely. */
export const NOISE = 0.05

/** Every variant against the first one, under the same workflow and in the same cell. */
export function compare(results: Result[], baseline: string, shape: Load['shape']): Comparison[] {
  return results.filter((result) => result.variant !== baseline).flatMap((result) => {
    const other = results.find((each) => each.variant === baseline && isSameCase(each, result))
    if (!other) return []
    const ratio = result.capacity && other.capacity ? result.capacity.rate / other.capacity.rate : null
    const text = `${result.workflow}: ${sentence(other, result, shape)}`
    return [{ workflow: result.workflow, cell: result.cell, baseline, variant: result.variant, ratio, text }]
  })
}

/** What two figures may differ by without meaning anything: their own spread, and never less than `NOISE`. */
export function noise(...measured: Pick<Capacity, 'spread'>[]): number {
  return Math.max(NOISE, ...measured.map(({ spread }) => spread ?? 0))
}

function isSameCase(a: Result, b: Result): boolean {
  return a.workflow === b.workflow && JSON.stringify(a.cell) === JSON.stringify(b.cell)
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
