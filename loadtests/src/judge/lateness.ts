import type { LoadResult } from '../model/load-result.ts'
import { aboveOf } from '../model/distribution.ts'
import { sum } from './statistics.ts'
import type { Slo } from '../model/experiment.ts'
import type { Lateness } from '../model/step.ts'

/** Percentiles that may be objectives, with the share of the answers that may be later. */
export const percentiles = [
  { name: 'p95', late: 0.05 },
  { name: 'p99', late: 0.01 },
  { name: 'p99.9', late: 0.001 },
] as const

/**
 * For each objective, of all requests and of each workflow of a mix: how many were late, of how many. Empty where the
 * distribution of the answers is unknown.
 */
export function latenessOf(
  { distribution, parts = [] }: Pick<LoadResult, 'distribution' | 'parts'>,
  slo: Slo,
): Lateness[] {
  return [
    ...late(distribution, slo),
    ...parts.flatMap((part) =>
      late(part.distribution, ofWorkflow(slo, part.workflow)).map((one) => ({ workflow: part.workflow, ...one })),
    ),
  ]
}

function late(distribution: string | undefined, slo: Slo): Lateness[] {
  if (distribution === undefined) return []
  return percentiles.flatMap(({ name, late }) => {
    const bound = slo[name]
    return bound === undefined ? [] : [{ objective: name, allowed: late, ...aboveOf(distribution, bound) }]
  })
}

/** The objective of one workflow of a mix. */
export const ofWorkflow = ({ workflows, ...slo }: Slo, workflow: string): Slo => ({ ...slo, ...workflows?.[workflow] })

/** The quantile for ranges that are right 19 times in 20. */
const z = 1.96

/** The range of the true share, from the late ones among all (Wilson's interval). */
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

/** For each objective and workflow, the answers of all tries together. */
export const pooled = (tries: Lateness[][]): Lateness[] =>
  [...Map.groupBy(tries.flat(), ({ workflow = '', objective }) => `${objective} ${workflow}`).values()].map((own) => ({
    ...own[0]!,
    late: sum(own.map(({ late }) => late)),
    of: sum(own.map(({ of }) => of)),
  }))

/** Whether all answers at one rate meet the objectives; null where they leave it open. */
export function metBy(tries: Lateness[][]): boolean | null {
  const all = pooled(tries).map(({ late, of, allowed }) => {
    const { low, high } = shareWithin(late, of)
    return low > allowed ? false : high <= allowed ? true : null
  })
  if (all.includes(false)) return false
  return all.includes(null) ? null : true
}

/** Fewer answers than this cannot show that an objective is met, even if all of them are in time. */
export const answersFor = (allowed: number): number => Math.ceil((z ** 2 * (1 - allowed)) / allowed)
