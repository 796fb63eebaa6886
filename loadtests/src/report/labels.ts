import { cannotHold } from '../judge/objective.ts'
import { isValid } from '../judge/capacity.ts'
import { short } from '../judge/reasons.ts'
import type { ReasonCode, Step } from '../model/step.ts'
import type { StepState } from './document.ts'
import type { Result } from '../model/result.ts'

export const stateOf = (step: Pick<Step, 'purpose' | 'holds' | 'reasons'>): StepState =>
  step.purpose !== 'measure' ? 'warm-up' : step.holds ? 'held' : isValid(step) ? 'broke' : 'spoiled'

/** What a load was for that n8n is not judged by. */
export const purposeInWords = (purpose: Exclude<Step['purpose'], 'measure'>): string =>
  purpose === 'full' ? 'filled' : 'warm-up'

/** `latency`, `killed for memory`, … or null where nothing broke. */
export function brokeBy(result: Result): string | null {
  if (result.failure?.code === cannotHold) return 'objective cannot hold'
  const reason = result.verdict.reasons[0]
  return reason ? short(reason.code) : null
}

type Sign = keyof typeof signs

/** What an operator sees before, or when, it happens; the alerts are the chart's, of docs/alerts.md. */
export const signs = {
  latency: 'p95 climbs.',
  backlog: 'More executions start than end, and jobs wait in the queue (alert N8nBacklogGrowing).',
  errors: 'Callers get 5xx, resets or timeouts, and the rate of errors in front of n8n rises.',
  'executions-failed': 'n8n’s list of executions shows errors.',
  'executions-lost': 'Processes restart, and executions never end (alert N8nJobsStalled).',
  silent: '/metrics of a process times out, and its event loop is blocked (alert N8nEventLoopBlocked).',
  'oom-killed': 'Memory nears its limit, then restarts with OOMKilled (alert N8nOutOfMemory).',
  'heap-exhausted': 'The heap is over 90 % full (alert N8nHeapNearLimit), then exit code 134.',
  crashed: 'A process restarts; the last lines of its log say why.',
} satisfies Partial<Record<ReasonCode, string>>

/** None of what is not n8n's doing, or has no signs before it. */
export const signOf = (code: ReasonCode | undefined): string | undefined => signs[code as Sign]
