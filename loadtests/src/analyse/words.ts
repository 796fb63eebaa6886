import type { ReasonCode, Result } from './summary.ts'
import type { Values } from '../profile/experiment.ts'

/** Three significant digits: more would claim what a load test cannot know. */
export function rate(perSecond: number): string {
  return `${figure(perSecond)}/s`
}

export function figure(value: number): string {
  return new Intl.NumberFormat('en', { maximumSignificantDigits: value >= 1000 ? 4 : 3 }).format(value)
}

/** `tuned`, or with a matrix `tuned (main.replicas=2)`. */
export function nameOf({ variant, cell }: { variant: string; cell: Values }): string {
  const settings = Object.entries(cell).map(([path, value]) => `${path}=${plain(value)}`)
  return settings.length > 0 ? `${variant} (${settings.join(', ')})` : variant
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const HAPPENED: Record<ReasonCode, string> = {
  'oom-killed': 'was killed for memory',
  'heap-exhausted': 'ran out of heap',
  crashed: 'crashed',
  'never-ready': 'never got ready',
  'executions-lost': 'lost executions',
  'executions-failed': 'failed executions',
  errors: 'answered with errors',
  backlog: 'fell behind with its executions',
  latency: 'answered too late',
  'generator-behind': 'could not be measured, the generator fell behind',
  'nothing-held': 'held no rate',
}

const EXITS: ReasonCode[] = ['oom-killed', 'heap-exhausted', 'crashed', 'never-ready']

/** What became of a result: `was killed for memory at 10/s`. */
export function fate(result: Result): string {
  const reason = result.verdict.reasons.find((each) => each.code !== 'nothing-held') ?? result.verdict.reasons[0]
  if (!reason) return result.steps.length > 0 ? 'gave no result' : 'was not measured'
  const where = result.verdict.at === null || reason.code === 'never-ready' ? '' : ` at ${rate(result.verdict.at)}`
  return HAPPENED[reason.code] + where
}

/** Whether a process died of the load: worth a word even where some rate held. */
export function died(result: Result): boolean {
  return result.verdict.reasons.some((reason) => EXITS.includes(reason.code))
}

/** `a`, `a and b`, `a, b and c` */
export function list(parts: string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
