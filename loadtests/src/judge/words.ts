import { deathVerbs, isDeath } from '../model/event.ts'
import { perSecond } from '../lib/figures.ts'
import type { Reason, ReasonCode } from '../model/step.ts'
import type { Result } from '../model/result.ts'

const HAPPENED: Record<ReasonCode, string> = {
  ...deathVerbs,
  'never-ready': 'never got ready',
  'executions-lost': 'lost executions',
  'executions-failed': 'failed executions',
  silent: 'did not say what it executed',
  'stopped-by-errors': 'answered with so many errors that the load ended by itself',
  'stopped-by-latency': 'answered so late that the load ended by itself',
  'stopped-by-backlog': 'fell so far behind that the load ended by itself',
  errors: 'answered with errors',
  backlog: 'fell behind with its executions',
  latency: 'answered too late',
  'generator-behind': 'could not be measured, the generator fell behind',
  'machine-busy': 'could not be measured, others had its cores',
  'too-short': 'could not be measured, the step was too short for its executions',
  'too-few': 'could not be measured, there were too few answers',
  'nothing-held': 'held no rate',
}

/** The outcome of a result in words: `was killed for memory at 10/s`. */
export function fate(result: Result): string {
  const reason = result.verdict.reasons[0]
  if (!reason) return result.steps.length > 0 ? 'gave no result' : 'was not measured'
  const where = result.verdict.at === null || reason.code === 'never-ready' ? '' : ` at ${perSecond(result.verdict.at)}`
  return HAPPENED[reason.code] + where
}

/** Whether a process died under load: reported even where some rate held. */
export const died = (reasons: Reason[]): boolean => reasons.some(({ code }) => code === 'never-ready' || isDeath(code))
