import { withoutSecrets, withoutSecretsOf } from './chart-values.ts'
import { shownIn } from './known.ts'
import type { Experiment } from '../model/experiment.ts'
import type { RunRecord } from '../model/record.ts'

/** An experiment as the record holds it, and as a continued run compares it. */
export const writtenExperiment = (experiment: Experiment): Experiment => shownIn(withoutSecretsOf(experiment))

/** A record as it is kept: runs are copied and shown to others. */
export function written(record: RunRecord): RunRecord {
  if (record.type === 'run') return shownIn({ ...record, experiment: withoutSecretsOf(record.experiment) })
  if (record.type === 'cell')
    return shownIn({ ...record, values: withoutSecrets(record.values), matrix: withoutSecrets(record.matrix) })
  return shownIn(record)
}
