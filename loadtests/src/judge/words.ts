import { isDeath } from '../model/event.ts'
import { perSecond } from '../lib/figures.ts'
import { happened } from './reasons.ts'
import type { Reason } from '../model/step.ts'
import type { Result } from '../model/result.ts'

/** The outcome of a result in words: `was killed for memory at 10/s`. */
export function fate(result: Result): string {
  const reason = result.verdict.reasons[0]
  if (!reason) return result.steps.length > 0 ? 'gave no result' : 'was not measured'
  const where = result.verdict.at === null || reason.code === 'never-ready' ? '' : ` at ${perSecond(result.verdict.at)}`
  return happened(reason.code) + where
}

/** Whether a process died under load: reported even where some rate held. */
export const died = (reasons: Reason[]): boolean => reasons.some(({ code }) => code === 'never-ready' || isDeath(code))
