import { isDeath } from '../model/event.ts'
import type { Reason } from '../model/step.ts'
import type { Result } from '../model/result.ts'

const endedByItself = ({ code }: Reason): boolean => code === 'never-ready' || isDeath(code)

export const died = (reasons: Reason[]): boolean => reasons.some(endedByItself)

/** What the others of the same result follow from. */
const isCause = (reason: Reason): boolean => endedByItself(reason) || reason.code === 'machine-busy'

/**
 * The reasons that a reader should act on. If a process died, or others had its cores, late answers, errors and lost
 * executions only followed from it, and advice on them would mislead.
 */
export function toActOn({ verdict }: Result): Reason[] {
  const causes = verdict.reasons.filter(isCause)
  return (causes.length > 0 ? causes : verdict.reasons).filter((reason) => reason.advice !== '')
}
