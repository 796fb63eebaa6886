import { cannotHold } from '../judge/objective.ts'
import { isValid } from '../judge/reasons.ts'
import { perSecond } from '../lib/figures.ts'
import type { Experiment } from '../model/experiment.ts'
import type { Step } from '../model/step.ts'
import type { StepState } from './document.ts'
import { happened, short } from './reason-words.ts'
import type { Result } from '../model/result.ts'

export const stateOf = (step: Pick<Step, 'purpose' | 'holds' | 'reasons'>): StepState =>
  step.purpose !== 'measure' ? 'warm-up' : step.holds ? 'held' : isValid(step) ? 'broke' : 'spoiled'

/** What a load was for that n8n is not judged by. */
export const purposeInWords = (purpose: Exclude<Step['purpose'], 'measure'>): string =>
  purpose === 'full' ? 'filled' : 'warm-up'

/** What n8n does with a load that it can take. */
export const verb = ({ load }: Pick<Experiment, 'load'>): string => (load.shape === 'closed' ? 'answers' : 'sustains')

/** What became of the n8n of a result, after its name: `was killed for memory at 10/s`. */
export function fateInWords({ verdict, steps }: Result): string {
  const reason = verdict.reasons[0]
  if (!reason) return steps.length > 0 ? 'gave no result' : 'was not measured'
  const where = verdict.at === null || reason.code === 'never-ready' ? '' : ` at ${perSecond(verdict.at)}`
  return happened(reason.code) + where
}

/** `latency`, `killed for memory`, … or null where nothing broke. */
export function brokeBy(result: Result): string | null {
  if (result.failure?.code === cannotHold) return 'objective cannot hold'
  const reason = result.verdict.reasons[0]
  return reason ? short(reason.code) : null
}
