import type { Reason, Result } from '../analyse/summary.ts'
import { isDeath } from '../shared/deaths.ts'

const endedByItself = ({ code }: Reason): boolean => code === 'never-ready' || isDeath(code)

export const died = (reasons: Reason[]): boolean => reasons.some(endedByItself)

/**
 * What to act on. Where a process died, late answers, errors and lost executions only followed:
 * advice on those would send the reader after the wrong thing.
 */
export function toActOn({ verdict }: Result): Reason[] {
  const causes = verdict.reasons.filter(endedByItself)
  return (causes.length > 0 ? causes : verdict.reasons).filter((reason) => reason.advice !== '')
}
