import { groupBy } from './statistics.ts'
import { cellKey, type Result } from '../model/result.ts'

/** One set of values, with its result under each workflow. */
export type Candidate = Result[]

export const candidates = (results: Result[]): Candidate[] => [
  ...groupBy(results, ({ variant, cell }) => cellKey({ variant, cell })).values(),
]

/** Its results under the workflows that it sustains within the objective. */
export const sustained = (one: Candidate): Result[] => one.filter((result) => result.verdict.holds && result.capacity)

export const rateOf = (one: Candidate, workflow: string): number =>
  sustained(one).find((result) => result.workflow === workflow)?.capacity?.rate ?? 0
