import type { Answer, Answered, Cause, ConfigurationAnswer, Why } from '../model/answer.ts'
import { count, figure, latency, list, percent, perSecond, roughly } from '../lib/figures.ts'
import { reasonMeaning, type ReasonCode } from '../model/step.ts'
import { cellKey, type Result } from '../model/result.ts'
import type { Summary } from '../model/summary.ts'
import { again } from './commands.ts'
import type { Mark, Tone } from './document.ts'
import { machinesInWords } from './gate-words.ts'
import { short } from './reason-words.ts'
import { reasonInWords } from './reason-words.ts'

/** The words for an answer. Every printer takes them from here. */

const words: Record<Answered, string> = {
  met: 'met',
  missed: 'missed',
  measured: 'measured',
  unsure: 'unsure',
  'not-measured': 'not measured',
}

const tones: Record<Answered, Tone> = {
  met: 'good',
  measured: 'good',
  missed: 'bad',
  unsure: 'unsure',
  'not-measured': 'none',
}

export const markOf = ({ answered }: { answered: Answered }): Mark => ({ word: words[answered], tone: tones[answered] })

/** Of one result; undefined of a summary that was changed by hand. */
export const answerFor = (result: Result, { answer }: Pick<Summary, 'answer'>): ConfigurationAnswer | undefined =>
  answer.configurations.find((one) => keyOf(one) === cellKey(result))

const keyOf = ({ variant, workflow, cell }: ConfigurationAnswer) => cellKey({ variant, workflow, cell })

/** Why the whole is not met, in a sentence; empty where it is. */
export function whyOf(summary: Summary): string {
  const { why, configurations } = summary.answer
  if (why === null) return ''
  const own =
    configurations.find((one) => one.chosen && one.why === why) ?? configurations.find((one) => one.why === why)
  return sentenceOf(why, own, summary)
}

/** Why one configuration is not met; empty where it is. */
export const whyOfOne = (one: ConfigurationAnswer, summary: Summary): string =>
  one.why === null ? '' : sentenceOf(one.why, one, summary)

/** What would decide it, as a reader types it. */
export const nextOf = ({ answer: { next } }: Summary): string | undefined => (next === null ? undefined : again(next))

function sentenceOf(why: Why, one: ConfigurationAnswer | undefined, summary: Summary): string {
  const { question } = summary.answer
  const { low = null, high = null } = one?.capacity ?? {}
  const asked = question.rate === null ? 'that' : perSecond(question.rate)
  switch (why) {
    case 'too-little':
      return high === null
        ? `Nothing sustains ${asked}.`
        : `${asked} is more than it sustains, which is ${perSecond(high)} at most.`
    case 'not-held':
      return 'It did not hold its safe rate for minutes.'
    case 'worse':
      return 'Something got worse beyond its bound.'
    case 'fault-cost':
      return 'A fault cost what it must not.'
    case 'chance':
      return 'There were too few answers to tell whether the objective holds.'
    case 'in-the-interval':
      return low === null || high === null
        ? `Whether it sustains ${asked} is not known.`
        : `${asked} lies between ${perSecond(low)}, which it surely sustains, `
            + `and ${perSecond(high)}, which it surely does not.`
    case 'hold-too-short':
      return 'Its safe rate was held too briefly to tell.'
    case 'path-not-run':
      return 'The main path of a workflow did not run, so the figure is of less than the whole.'
    case 'no-clear-difference':
      return mayBe(summary.answer)
    case 'worth-open':
      return 'What a setting is worth stayed open.'
    case 'gate-open':
      return 'Whether anything got worse stayed open.'
    case 'interrupted':
      return 'The run ended early, so this is not its last word.'
    case 'not-reached':
      return 'The run ended before it was measured.'
    case 'objective-cannot-hold':
      return failureOf(one, summary) ?? 'The objective cannot hold for this workflow.'
    case 'machine-changed':
      return 'The machine changed its pace by more than half while it was measured.'
    case 'not-warm':
      return notWarm(resultOf(one, summary)?.capacity?.estimate?.cold ?? 0)
    case 'machines-differ':
      return (summary.gate && machinesInWords(summary.gate)) ?? 'The machines differ.'
    case 'fault-unknown':
      return 'What a fault did is not known.'
    case 'never-ready':
      return failureOf(one, summary) ?? 'n8n never got ready.'
    default:
      return reasonText(why, one, summary)
  }
}

/** Executions that it had by then. */
const notWarm = (executed: number) =>
  `n8n still got faster after ${count(executed)} executions, so it may sustain more once it is warm: `
  + `about ${count(executed)} more would tell.`

const resultOf = (one: ConfigurationAnswer | undefined, { results }: Summary): Result | undefined =>
  one && results.find((result) => cellKey(result) === keyOf(one))

const failureOf = (one: ConfigurationAnswer | undefined, summary: Summary) => resultOf(one, summary)?.failure?.message

/** The step's own words, at its rate. */
function reasonText(code: ReasonCode, one: ConfigurationAnswer | undefined, summary: Summary): string {
  const verdict = resultOf(one, summary)?.verdict
  const reason = verdict?.reasons.find((each) => each.code === code)
  if (!reason) return `${short(code)}.`
  const at = verdict!.at === null || reasonMeaning(code).means !== 'missed' ? '' : `At ${perSecond(verdict!.at)}: `
  return at + reasonInWords(reason).text
}

function mayBe(answer: Answer): string {
  const open = openRatios(answer)
  return open ? `${open}: measure longer.` : 'Which is better was not found: measure longer.'
}

/** `tuned may be 0.7 to 2.8 times n8n-defaults`; empty where no range is known. */
export function openRatios({ configurations }: Answer): string {
  const open = configurations.flatMap(({ variant, ratio }) =>
    ratio?.finding === 'unsure' && ratio.low !== null && ratio.high !== null
      ? [`${variant} may be ${figure(ratio.low)} to ${figure(ratio.high)} times ${ratio.baseline}`]
      : [],
  )
  return list(open.slice(0, 3))
}

/** `10.1 to 12.7/s` */
export function rangeOf({ capacity }: Pick<ConfigurationAnswer, 'capacity'>): string {
  if (!capacity || capacity.low === null) return ''
  return capacity.high === null
    ? `at least ${perSecond(capacity.low)}`
    : `${figure(capacity.low)} to ${perSecond(capacity.high)}`
}

/** `Safe: 10.1/s` */
export const safeInWords = ({ safe }: Pick<ConfigurationAnswer, 'safe'>): string =>
  safe ? `Safe: ${perSecond(safe.rate)}` : ''

/**
 * What limits it, with the figures that say so; empty where nothing was seen. Without an objective, in short: one of
 * several.
 */
export function causeInWords(
  { limit, capacity }: Pick<ConfigurationAnswer, 'limit' | 'capacity'>,
  objective: number | null,
): string {
  if (!limit) return ''
  const named = `${names[limit.code](limit.process)}${figuresOf(limit)}`
  const ends =
    objective !== null && limit.share !== null && capacity && ['one-core', 'cpu-limit', 'cores'].includes(limit.code)
      ? `; p95 passes ${latency(objective)} near ${roughly(limit.share)} of it`
      : ''
  return `${named}${ends}.`
}

const processOf = (process: string | null, or: string) => (process === null ? or : `${process}’s`)

const names: Record<Cause['code'], (process: string | null) => string> = {
  'one-core': (process) => `${processOf(process, 'n8n’s')} one core`,
  'cpu-limit': (process) => `The CPU limit of ${process ?? 'n8n'}`,
  cores: () => 'The cores that n8n’s processes share',
  postgresql: () => 'PostgreSQL',
  'execution-list': () =>
    'The editor’s list of executions, for which PostgreSQL has no index (database.indexes.executionList: true)',
  connections: (process) => `The database connections of ${process ?? 'n8n'}`,
  redis: () => 'Redis',
  services: () => 'The services that the workflow calls',
  memory: (process) => `The memory of ${process ?? 'n8n'}`,
  pauses: () => 'Pauses of garbage collection',
  slots: () => 'How many executions may run at once',
  runner: () => 'The slots of the task runner, which Code nodes take while they run or wait',
  generator: () => 'The generator, before n8n: what limits n8n is not known',
  machine: () => 'Others on the machine, before n8n: what limits n8n is not known',
  unknown: () => 'Nothing that the lab sees was used up',
}

function figuresOf({ code, cpu, most, waited }: Cause): string {
  if (code === 'services') return waited === null ? '' : `: an execution waits ${latency(waited)} for them`
  if (cpu === null || !['one-core', 'cpu-limit', 'cores'].includes(code)) return ''
  const limit = most === null ? '' : `, ${perSecond(most)} at most`
  return `: ${latency(cpu * 1000)} of CPU an execution${limit}`
}

/** What more is seen of it, by what limits it. */
export const causeSigns: Partial<Record<Cause['code'], string>> = {
  'one-core': 'n8n’s event loop lags (alert N8nEventLoopBlocked).',
  pauses: 'n8n’s event loop stops at times (alert N8nEventLoopBlocked).',
  slots: 'Jobs wait in the queue (alert N8nBacklogGrowing).',
  runner: 'n8n’s log has “Task request timed out”, and its CPU is idle.',
}

/** `97.5 %` */
export const chanceInWords = ({ safe }: Pick<ConfigurationAnswer, 'safe'>): string => (safe ? percent(safe.chance) : '')
