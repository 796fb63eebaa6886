import type { DatabaseSample } from '../model/sample.ts'
import type { Fail } from '../lib/fail.ts'
import type { ExecutionDatabase } from '../n8n/executions.ts'
import { watch } from './watch.ts'

/** For what n8n's connections do in the database, where it says so. */
export function watchDatabase(
  database: ExecutionDatabase,
  onSample: (sample: DatabaseSample) => void,
  every?: number,
  fail?: Fail,
): () => void {
  const { activity } = database
  return activity ? watch(activity, (seen, at) => onSample({ at, ...seen }), every, fail) : () => {}
}
