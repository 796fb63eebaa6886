import { deathLabels } from '../model/deaths.ts'
import type { ReasonCode } from '../model/step.ts'
import type { Result } from '../model/result.ts'

/** What broke first, short enough for a column. */
const SHORT: Record<ReasonCode, string> = {
  ...deathLabels,
  'never-ready': 'never ready',
  'executions-lost': 'executions lost',
  'executions-failed': 'executions failed',
  silent: 'no look answered',
  'stopped-by-errors': 'stopped by errors',
  errors: 'errors',
  backlog: 'backlog',
  latency: 'latency',
  'generator-behind': 'generator behind',
  'too-short': 'step too short',
  'too-few': 'too few answers',
  'nothing-held': 'no rate held',
}

export const short = (code: ReasonCode): string => SHORT[code]

/** `latency`, `killed for memory`, … or null where nothing broke. */
export function brokeBy(result: Result): string | null {
  const reason = result.verdict.reasons[0]
  return reason ? short(reason.code) : null
}
