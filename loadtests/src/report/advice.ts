import { died } from '../judge/words.ts'
import type { Reason } from '../model/step.ts'
import type { Result } from '../model/result.ts'

/** What the others of the same result follow from. */
const isCause = (reason: Reason): boolean => died([reason]) || reason.code === 'machine-busy'

/**
 * The reasons that a reader should act on. If a process died, or others had its cores, late answers, errors and lost
 * executions only followed from it, and advice on them would mislead.
 */
export function toActOn({ verdict }: Result): Reason[] {
  const causes = verdict.reasons.filter(isCause)
  return (causes.length > 0 ? causes : verdict.reasons).filter((reason) => reason.advice !== '')
}
