import type { LoadResult } from '../load/result.ts'
import type { Slo } from '../profile/experiment.ts'
import { aboveOf } from '../shared/distribution.ts'
import { sum } from './statistics.ts'
import type { Lateness } from './summary.ts'

/** Percentiles that may be objectives: what share of the answers may be later. */
export const percentiles = [
  { name: 'p95', late: 0.05 },
  { name: 'p99', late: 0.01 },
  { name: 'p99.9', late: 0.001 },
] as const

/** Of each objective: how many answers were late, of how many. Empty where the answers' distribution is not known. */
export function latenessOf({ distribution }: LoadResult, slo: Slo): Lateness[] {
  if (distribution === undefined) return []
  return percentiles.flatMap(({ name, late }) => {
    const bound = slo[name]
    return bound === undefined ? [] : [{ objective: name, allowed: late, ...aboveOf(distribution, bound) }]
  })
}

/** Of 19 times in 20. */
const z = 1.96

/** Where the share truly lies, of which so many of so many were seen (Wilson's interval). */
export function shareWithin(seen: number, of: number): { low: number; high: number } {
  if (of === 0) return { low: 0, high: 1 }
  const share = seen / of
  const centre = share + z ** 2 / (2 * of)
  const reach = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))
  return {
    low: Math.max(0, (centre - reach) / (1 + z ** 2 / of)),
    high: Math.min(1, (centre + reach) / (1 + z ** 2 / of)),
  }
}

/** Of each objective the answers of all tries together. */
export const pooled = (tries: Lateness[][]): Lateness[] =>
  [...Map.groupBy(tries.flat(), ({ objective }) => objective).values()].map((own) => ({
    ...own[0]!,
    late: sum(own.map(({ late }) => late)),
    of: sum(own.map(({ of }) => of)),
  }))

/** Whether the objectives are met, by all answers at one rate; null where they do not tell. */
export function metBy(tries: Lateness[][]): boolean | null {
  const all = pooled(tries).map(({ late, of, allowed }) => {
    const { low, high } = shareWithin(late, of)
    return low > allowed ? false : high <= allowed ? true : null
  })
  if (all.includes(false)) return false
  return all.includes(null) ? null : true
}

/** Fewer answers than these cannot show that an objective is met, however early all of them are. */
export const answersFor = (allowed: number): number => Math.ceil((z ** 2 * (1 - allowed)) / allowed)
