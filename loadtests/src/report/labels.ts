import { cannotHold } from '../judge/objective.ts'
import { isValid } from '../judge/capacity.ts'
import { perSecond } from '../lib/figures.ts'
import type { DeathCode } from '../model/event.ts'
import type { Experiment } from '../model/experiment.ts'
import type { ReasonCode, Step } from '../model/step.ts'
import type { StepState } from './document.ts'
import type { Result } from '../model/result.ts'

export const stateOf = (step: Pick<Step, 'purpose' | 'holds' | 'reasons'>): StepState =>
  step.purpose !== 'measure' ? 'warm-up' : step.holds ? 'held' : isValid(step) ? 'broke' : 'spoiled'

/** What a load was for that n8n is not judged by. */
export const purposeInWords = (purpose: Exclude<Step['purpose'], 'measure'>): string =>
  purpose === 'full' ? 'filled' : 'warm-up'

/** What broke first, in as many words as fit a column. Codes of a later version stay as they are. */
export const short = (code: ReasonCode): string => words[code]?.label ?? code

/** What became of a process, after its name. */
export const deathVerb = (code: DeathCode): string => words[code].happened

const words: Record<ReasonCode, { label: string; happened: string }> = {
  'never-ready': { label: 'never ready', happened: 'never got ready' },
  'oom-killed': { label: 'killed for memory', happened: 'was killed for memory' },
  'heap-exhausted': { label: 'heap exhausted', happened: 'ran out of heap' },
  crashed: { label: 'crashed', happened: 'crashed' },
  'machine-busy': { label: 'machine busy', happened: 'could not be measured, others had its cores' },
  'executions-lost': { label: 'executions lost', happened: 'lost executions' },
  'executions-failed': { label: 'executions failed', happened: 'failed executions' },
  'stopped-by-errors': {
    label: 'stopped by errors',
    happened: 'answered with so many errors that the load ended by itself',
  },
  'stopped-by-backlog': {
    label: 'stopped by its backlog',
    happened: 'fell so far behind that the load ended by itself',
  },
  'stopped-by-latency': {
    label: 'stopped by latency',
    happened: 'answered so late that the load ended by itself',
  },
  errors: { label: 'errors', happened: 'answered with errors' },
  backlog: { label: 'backlog', happened: 'fell behind with its executions' },
  latency: { label: 'latency', happened: 'answered too late' },
  silent: { label: 'no look answered', happened: 'did not say what it executed' },
  'generator-behind': { label: 'generator behind', happened: 'could not be measured, the generator fell behind' },
  'too-short': {
    label: 'step too short',
    happened: 'could not be measured, the step was too short for its executions',
  },
  'too-few': { label: 'too few answers', happened: 'could not be measured, there were too few answers' },
  'nothing-held': { label: 'no rate held', happened: 'held no rate' },
}

/** What n8n does with a load that it can take. */
export const verb = ({ load }: Pick<Experiment, 'load'>): string => (load.shape === 'closed' ? 'answers' : 'sustains')

/** What became of the n8n of a result, after its name: `was killed for memory at 10/s`. */
export function fateInWords({ verdict, steps }: Result): string {
  const reason = verdict.reasons[0]
  if (!reason) return steps.length > 0 ? 'gave no result' : 'was not measured'
  const where = verdict.at === null || reason.code === 'never-ready' ? '' : ` at ${perSecond(verdict.at)}`
  return (words[reason.code]?.happened ?? reason.code) + where
}

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
