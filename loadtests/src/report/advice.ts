import { died } from '../judge/reasons.ts'
import type { Reason } from '../model/step.ts'
import type { Result } from '../model/result.ts'
import { reasonInWords } from './reason-words.ts'

/** What the others of the same result follow from. */
const isCause = (reason: Pick<Reason, 'code'>): boolean => died([reason]) || reason.code === 'machine-busy'

/**
 * The reasons that a reader should act on. If a process died, or others had its cores, late answers, errors and lost
 * executions only followed from it, and advice on them would mislead.
 */
export function toActOn({ verdict }: Result): Reason[] {
  const causes = verdict.reasons.filter(isCause)
  const told = (causes.length > 0 ? causes : verdict.reasons).map(reasonInWords)
  return told.filter(({ advice }) => advice !== '')
}
