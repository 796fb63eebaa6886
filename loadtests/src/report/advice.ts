import { isDeath } from '../model/event.ts'
import type { Reason } from '../model/step.ts'
import type { Result } from '../model/result.ts'

const endedByItself = ({ code }: Reason): boolean => code === 'never-ready' || isDeath(code)

export const died = (reasons: Reason[]): boolean => reasons.some(endedByItself)

/**
 * The reasons that a reader should act on. If a process died, late answers, errors and lost executions only followed
 * from it, and advice on them would mislead.
 */
export function toActOn({ verdict }: Result): Reason[] {
  const causes = verdict.reasons.filter(endedByItself)
  return (causes.length > 0 ? causes : verdict.reasons).filter((reason) => reason.advice !== '')
}
