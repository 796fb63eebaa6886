import type { LoadResult } from '../model/load-result.ts'
import { memory, perSecond } from '../lib/figures.ts'
import { limitsOf } from './advice.ts'
import { deathLabels, deathVerbs, type Exit } from '../model/event.ts'
import type { Bottleneck, Reason, ReasonCode, Silence } from '../model/step.ts'

/**
 * What a reason means for a verdict. `missed`: n8n missed the objective. `spoiled`: the step says nothing of n8n, since
 * something else was in the way. `unknown`: n8n was measured, or started, and what it would have done is not known.
 */
type Meaning = 'missed' | 'spoiled' | 'unknown'

interface Known {
  means: Meaning
  /** What broke first, short enough for a column. */
  label: string
  /** What became of an n8n: `it answered too late`. */
  happened: string
}

/** Causes come before their consequences: a killed process also answers late and with errors. */
const known: Record<ReasonCode, Known> = {
  'never-ready': { means: 'unknown', label: 'never ready', happened: 'never got ready' },
  'oom-killed': deathBy('oom-killed'),
  'heap-exhausted': deathBy('heap-exhausted'),
  crashed: deathBy('crashed'),
  'machine-busy': { means: 'spoiled', label: 'machine busy', happened: 'could not be measured, others had its cores' },
  'executions-lost': { means: 'missed', label: 'executions lost', happened: 'lost executions' },
  'executions-failed': { means: 'missed', label: 'executions failed', happened: 'failed executions' },
  'stopped-by-errors': {
    means: 'missed',
    label: 'stopped by errors',
    happened: 'answered with so many errors that the load ended by itself',
  },
  'stopped-by-backlog': {
    means: 'missed',
    label: 'stopped by its backlog',
    happened: 'fell so far behind that the load ended by itself',
  },
  'stopped-by-latency': {
    means: 'missed',
    label: 'stopped by latency',
    happened: 'answered so late that the load ended by itself',
  },
  errors: { means: 'missed', label: 'errors', happened: 'answered with errors' },
  backlog: { means: 'missed', label: 'backlog', happened: 'fell behind with its executions' },
  latency: { means: 'missed', label: 'latency', happened: 'answered too late' },
  silent: { means: 'unknown', label: 'no look answered', happened: 'did not say what it executed' },
  'generator-behind': {
    means: 'spoiled',
    label: 'generator behind',
    happened: 'could not be measured, the generator fell behind',
  },
  'too-short': {
    means: 'spoiled',
    label: 'step too short',
    happened: 'could not be measured, the step was too short for its executions',
  },
  'too-few': {
    means: 'spoiled',
    label: 'too few answers',
    happened: 'could not be measured, there were too few answers',
  },
  'nothing-held': { means: 'missed', label: 'no rate held', happened: 'held no rate' },
}

function deathBy(code: keyof typeof deathLabels): Known {
  return { means: 'missed', label: deathLabels[code], happened: deathVerbs[code] }
}

export const byCause = Object.keys(known) as ReasonCode[]

/** Of an earlier or a later version, a code that is not known speaks against n8n. */
export const meaningOf = (code: ReasonCode): Meaning => known[code]?.means ?? 'missed'

export const spoils = ({ code }: Pick<Reason, 'code'>): boolean => meaningOf(code) === 'spoiled'

export const short = (code: ReasonCode): string => known[code]?.label ?? code

export const happened = (code: ReasonCode): string => known[code]?.happened ?? code

const percent = (share: number) => `${(share * 100).toFixed(share < 0.01 ? 2 : 1)} %`
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`
const whole = (share: number) => `${Number((share * 100).toFixed(1))} %`
const ms = (value: number) => `${Math.round(value)} ms`

const at = ({ rate }: LoadResult) => (rate === null ? '' : ` at ${perSecond(rate)}`)

/** In a mix, whose requests they are. */
const to = (workflow: string | undefined) => (workflow === undefined ? '' : ` to ${workflow}`)
const andSo = ({ what }: Bottleneck) => (what ? ` ${what}` : '')

/** The same for all reasons of wrong answers. */
const whatCameBack =
  'Look at what came back. 5xx: n8n refuses or fails. refused, reset: a process has ended. '
  + 'timeout: a process hangs. wrong: the answer is not the one that the request expects.'

/** Each with its sentence, and what to change. */
export const reasons = {
  stoppedByErrors: (load: LoadResult, share: number): Reason => ({
    code: 'stopped-by-errors',
    text:
      `The load ended by itself after ${seconds(load.endedAt - load.startedAt)}, because ${percent(share)} of `
      + `${load.requests} requests failed (${failureList(load.failures)}). On an n8n that the lab did not start, more `
      + 'than a tenth ends it, and nothing more is sent.',
    advice: whatCameBack,
  }),
  stoppedByLatency: (load: LoadResult, bound: number): Reason => ({
    code: 'stopped-by-latency',
    text:
      `The load ended by itself after ${seconds(load.endedAt - load.startedAt)}${at(load)}, because most answers took `
      + `longer than ${ms(bound)} for two seconds. On an n8n that the lab did not start, nothing higher is sent then.`,
    advice: 'This n8n has no room for that rate beside its other callers. Give it more, or ask for less.',
  }),
  stoppedByBacklog: (load: LoadResult): Reason => ({
    code: 'stopped-by-backlog',
    text:
      `The load ended by itself after ${seconds(load.endedAt - load.startedAt)}${at(load)}, because by its own figures `
      + 'n8n began more executions than it ended. On an n8n that the lab did not start, nothing higher is sent then.',
    advice: 'This n8n has no room for that rate beside its other executions. Give it more, or ask for less.',
  }),
  errors: (
    load: Pick<LoadResult, 'requests' | 'failures'>,
    share: number,
    bound: number,
    bottleneck: Bottleneck,
    workflow?: string,
  ): Reason => ({
    code: 'errors',
    text:
      `${percent(share)} of ${load.requests} requests${to(workflow)} failed (${failureList(load.failures)}), allowed `
      + `are ${percent(bound)}.${andSo(bottleneck)}`,
    advice: (bottleneck.what && `${bottleneck.advice} `) + whatCameBack,
    bottleneck,
  }),
  latency: (share: number, taken: number, bound: number, bottleneck: Bottleneck, workflow?: string): Reason => ({
    code: 'latency',
    text:
      `${whole(share)} of the requests${to(workflow)} were answered within ${ms(taken)}, the objective is `
      + `${ms(bound)}.${andSo(bottleneck)}`,
    advice: bottleneck.advice,
    bottleneck,
  }),
  backlog: (growth: number, bound: number, bottleneck: Bottleneck): Reason => ({
    code: 'backlog',
    text:
      `Executions under way grew by ${percent(growth)} of those accepted, allowed are ${percent(bound)}: `
      + `n8n accepts more than it finishes.${andSo(bottleneck)}`,
    advice: `${bottleneck.advice} Or accept less; in the end memory runs out.`,
    bottleneck,
  }),
  executionsFailed: (failed: number, accepted: number): Reason => ({
    code: 'executions-failed',
    text: `${failed} of ${accepted} accepted executions ended in an error.`,
    advice: 'Open the failed executions in n8n: the workflow itself may be at fault.',
  }),
  executionsLost: (lost: number, accepted: number, ids: string[]): Reason => ({
    code: 'executions-lost',
    text: `${lost} of ${accepted} accepted executions never finished${ids.length ? `: ${named(ids, lost)}` : ''}.`,
    advice: 'Their process ended while it executed them: keep it alive. Its log, or another reason here, says why.',
  }),
  silent: ({ process, seconds }: Silence): Reason => ({
    code: 'silent',
    text: `${process} answered no look for ${seconds} s: how many executions it had under way is not known.`,
    advice: 'It was too busy to answer, or stuck. Give it more CPU, or accept less; its log may say more.',
  }),
  exit: (
    process: string,
    { reason, code, signal }: Exit,
    limit: string,
    untuned: boolean,
    heap: number | null,
  ): Reason => {
    const limits = limitsOf(process)
    const what = untuned ? 'Set tuning.tier: tuned, whose heap follows the limit, or raise' : 'Raise'
    const raise = `${what} ${limits}.memory`
    if (reason === 'oom-killed') {
      return {
        code: 'oom-killed',
        text:
          `${process} was killed for memory: it needed more than its limit of ${limit}.`
          + (heap === null ? '' : ` Its heap last held ${memory(heap)} of it, the rest was outside of the heap.`),
        advice: `${raise}.`,
      }
    }
    if (reason === 'heap-exhausted') {
      const heap = limits.replace('.resources.limits', '.heap.megabytes')
      return {
        code: 'heap-exhausted',
        text: `${process} ran out of heap, below its memory limit of ${limit}.`,
        advice: heap === limits ? `${raise}.` : `${raise} or ${heap}.`,
      }
    }
    return {
      code: 'crashed',
      text: `${process} ended ${signal ? `by ${signal}` : `with exit code ${code}`} under load.`,
      advice: 'Its log, in the run’s folder, says why.',
    }
  },
  tooFew: (answers: number, least: number): Reason => ({
    code: 'too-few',
    text: `${answers} answers are too few to judge by: it takes at least ${least}.`,
    advice: 'This step says nothing about n8n. Make load.step or load.duration longer, or raise the rate.',
  }),
  tooShort: (lasted: number, ran: number): Reason => ({
    code: 'too-short',
    text:
      `The step of ${seconds(lasted)} was too short for executions of ${seconds(ran)}: the number under `
      + 'way rises until the first of them end.',
    advice: 'This step says nothing about n8n. Make load.step or load.duration at least twice as long as an execution.',
  }),
  generatorLate: (lag: number, share: number): Reason =>
    atGenerator(
      `The generator itself sent ${whole(1 - share)} of the requests ${ms(lag)} late or more, although it had clients `
        + 'free, so the latencies are partly its own.',
    ),
  generatorLimit: (cpu: number): Reason =>
    atGenerator(
      `The generator used ${percent(cpu)} of its own core: its clients could not send faster, so the rate is the `
        + 'generator’s limit.',
    ),
  generatorCoreFull: (busy: number, own: number | null): Reason =>
    atGenerator(
      `The generator’s cores were busy for ${percent(busy)} of the step`
        + (own === null ? '' : `, k6 for ${percent(own)}; the rest is the lab and what else runs there`)
        + ': their limit may be what is seen here.',
    ),
  machineBusy: (waited: number): Reason => ({
    code: 'machine-busy',
    text: `Others had n8n’s cores: it waited for one ${percent(waited)} of the time.`,
    advice:
      'This step says nothing about n8n. Close other programs of this machine, or wait until it is quiet: '
      + '--when-quiet.',
  }),
  generatorSilent: (): Reason => atGenerator('The generator sent no request.'),
}

/** At most ten of so many, and the number of the others. */
const named = (ids: string[], of: number) =>
  of > 10 ? `${ids.slice(0, 10).join(', ')} and ${of - Math.min(10, ids.length)} others` : ids.join(', ')

function atGenerator(text: string): Reason {
  return {
    code: 'generator-behind',
    text,
    advice: 'This step says nothing about n8n. Give the generator more cores, or lower the rate.',
  }
}

function failureList(failures: Record<string, number>): string {
  return Object.entries(failures)
    .map(([kind, count]) => `${count} ${kind.replace('status_', '').replace('_', ' ')}`)
    .join(', ')
}
