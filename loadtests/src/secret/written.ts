import { printableIn } from '../lib/printable.ts'
import { withoutSecrets, withoutSecretsOf } from './chart-values.ts'
import { shownIn } from './known.ts'
import type { Experiment } from '../model/experiment.ts'
import type { RunRecord } from '../model/record.ts'

/** Without secrets, and without what a terminal would take for commands. */
const kept = <Given>(given: Given): Given => printableIn(shownIn(given))

/** An experiment as the record holds it, and as a continued run compares it. */
export const writtenExperiment = (experiment: Experiment): Experiment => kept(withoutSecretsOf(experiment))

/** A record as it is kept: runs are copied and shown to others. */
export function written(record: RunRecord): RunRecord {
  if (record.type === 'run') return kept({ ...record, experiment: withoutSecretsOf(record.experiment) })
  if (record.type === 'cell')
    return kept({ ...record, values: withoutSecrets(record.values), matrix: withoutSecrets(record.matrix) })
  return kept(record)
}
