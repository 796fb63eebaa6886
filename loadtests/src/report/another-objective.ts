import { judgeAgain } from '../judge/verdict.ts'
import type { Slo } from '../model/experiment.ts'
import type { RunRecord } from '../model/record.ts'
import { verdictOfStep } from './reason-words.ts'

/** The records of a run as they would be if it had been asked for another objective. */
export function askedFor(over: Partial<Slo>, records: RunRecord[]): RunRecord[] {
  const run = records.find((record) => record.type === 'run')
  if (!run) return records
  const slo = { ...run.experiment.slo, ...over }
  return records.map((record): RunRecord => {
    if (record.type === 'run') return { ...record, experiment: { ...record.experiment, slo } }
    if (record.type !== 'step' && record.type !== 'held') return record
    const { lateness: _, ...step } = record
    return { ...step, ...verdictOfStep(judgeAgain(record, slo)) }
  })
}
