import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readRun } from '../../loadtests/evidence/raw.ts'
import type { Summary } from '../../loadtests/src/model/summary.ts'
import type { Result } from '../../loadtests/src/model/result.ts'

/** How far real measurements lie from one another, drawn from the runs that docs/evidence keeps. */

const raw = join(import.meta.dirname, '../../docs/evidence/raw')
const names = [...new Set(readdirSync(raw).map((file) => file.replace(/\.json(\.gz)?$/, '')))]
const kept = await Promise.all(names.map((name) => readRun(raw, name)))
const runs = kept.filter((one): one is Summary => one !== null && 'results' in one)

/**
 * For every pair that ran side by side: how far a round's ratio of CPU a request was from the mean of its rounds, as
 * logarithms.
 */
export const ratiosOff: number[] = runs.flatMap((run) => {
  const { experiment, results } = run
  return experiment.variants.flatMap(({ name, beside }) =>
    beside === undefined
      ? []
      : results
          .filter(({ variant }) => variant === name)
          .flatMap((result) => {
            const other = results.find((each) => each.variant === beside && each.workflow === result.workflow)
            return other ? offOf(result, other) : []
          }),
  )
})

function offOf({ cpuPerRequest: own }: Result, { cpuPerRequest: others }: Result): number[] {
  const logs = own.flatMap((value, round) => (value && others[round] ? [Math.log(value / others[round])] : []))
  if (logs.length < 3) return []
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length
  return logs.map((log) => (log - mean) * Math.sqrt(logs.length / (logs.length - 1)))
}

export const oneOf = <T>(values: T[], next: () => number): T => values[Math.floor(next() * values.length)]!
