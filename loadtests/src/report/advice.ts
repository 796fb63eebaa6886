import type { Reason, ReasonCode, Result } from '../analyse/summary.ts'

const DEATHS: ReasonCode[] = ['never-ready', 'oom-killed', 'heap-exhausted', 'crashed']

export const died = (reasons: Reason[]): boolean => reasons.some((reason) => DEATHS.includes(reason.code))

/**
 * What to act on. Where a process died, late answers, errors and lost executions only followed:
 * advice on those would send the reader after the wrong thing.
 */
export function toActOn({ verdict }: Result): Reason[] {
  const causes = verdict.reasons.filter((reason) => DEATHS.includes(reason.code))
  return (causes.length > 0 ? causes : verdict.reasons).filter((reason) => reason.advice !== '')
}
