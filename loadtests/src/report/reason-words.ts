import type { Death, FoundReason, Judged } from '../judge/verdict.ts'
import { cannotHold } from '../judge/objective.ts'
import type { FoundBottleneck } from '../judge/bottlenecks/found.ts'
import { count, memory, perSecond } from '../lib/figures.ts'
import type { LoadResult } from '../model/load-result.ts'
import type { ResultReason } from '../model/result.ts'
import type { Bottleneck, Reason, ReasonCode, Verdict } from '../model/step.ts'
import { bottleneckInWords, limitsOf } from './bottleneck-words.ts'

/** The words for why a step, or a whole result, does not hold, and for what to change. */

interface ShortWords {
  /** What broke first, in as many words as fit a column. */
  label: string
  /** What became of an n8n, after its name. */
  happened: string
  /** What an operator sees before it, or when it happens. The alerts are the chart’s, of docs/alerts.md. */
  sign?: string
}

const inShort: Record<ReasonCode, ShortWords> = {
  'never-ready': { label: 'never ready', happened: 'never got ready' },
  'oom-killed': {
    label: 'killed for memory',
    happened: 'was killed for memory',
    sign: 'Memory nears its limit, then restarts with OOMKilled (alert N8nOutOfMemory).',
  },
  'heap-exhausted': {
    label: 'heap exhausted',
    happened: 'ran out of heap',
    sign: 'The heap is over 90 % full (alert N8nHeapNearLimit), then exit code 134.',
  },
  crashed: { label: 'crashed', happened: 'crashed', sign: 'A process restarts; the last lines of its log say why.' },
  'machine-busy': { label: 'machine busy', happened: 'could not be measured, others had its cores' },
  'executions-lost': {
    label: 'executions lost',
    happened: 'lost executions',
    sign: 'Processes restart, and executions never end (alert N8nJobsStalled).',
  },
  'executions-failed': {
    label: 'executions failed',
    happened: 'failed executions',
    sign: 'n8n’s list of executions shows errors.',
  },
  'schedules-missed': {
    label: 'schedules missed',
    happened: 'missed scheduled runs, or began them twice',
    sign: 'A workflow’s list of executions has a gap, or two at one time (alert N8nScheduleLate, if it is durable).',
  },
  'stopped-by-errors': {
    label: 'stopped by errors',
    happened: 'answered with so many errors that the load ended by itself',
  },
  'stopped-by-backlog': {
    label: 'stopped by its backlog',
    happened: 'fell so far behind that the load ended by itself',
  },
  'stopped-by-latency': { label: 'stopped by latency', happened: 'answered so late that the load ended by itself' },
  errors: {
    label: 'errors',
    happened: 'answered with errors',
    sign: 'Callers get 5xx, resets or timeouts, and the rate of errors in front of n8n rises.',
  },
  backlog: {
    label: 'backlog',
    happened: 'fell behind with its executions',
    sign: 'More executions start than end, and jobs wait in the queue (alert N8nBacklogGrowing).',
  },
  latency: { label: 'latency', happened: 'answered too late', sign: 'p95 climbs.' },
  silent: {
    label: 'no look answered',
    happened: 'did not say what it executed',
    sign: '/metrics of a process times out, and its event loop is blocked (alert N8nEventLoopBlocked).',
  },
  'generator-behind': { label: 'generator behind', happened: 'could not be measured, the generator fell behind' },
  'too-short': {
    label: 'step too short',
    happened: 'could not be measured, the step was too short for its executions',
  },
  'too-few': { label: 'too few answers', happened: 'could not be measured, there were too few answers' },
  'nothing-held': { label: 'no rate held', happened: 'held no rate' },
}

/** Codes of a later version stay as they are. */
export const short = (code: ReasonCode): string => inShort[code]?.label ?? code

export const happened = (code: ReasonCode): string => inShort[code]?.happened ?? code

export const signOf = (code: ReasonCode | undefined): string | undefined => code && inShort[code]?.sign

/** As the record has it. */
export const verdictOfStep = ({ reasons, ...verdict }: Judged<FoundReason | Reason>): Verdict => ({
  ...verdict,
  reasons: reasons.map(reasonInWords),
})

/** What was recorded has its words. */
export function reasonInWords(found: FoundReason | ResultReason): Reason {
  if ('text' in found) return found
  const { code } = found
  const bottleneck = 'bottleneck' in found ? toldOf(found.bottleneck) : undefined
  const [text, advice] = words(found, bottleneck)
  const given = 'given' in found ? found.given : undefined
  return { code, text, advice: given ?? advice, ...(bottleneck && { bottleneck }) }
}

const toldOf = (bottleneck: FoundBottleneck | Bottleneck): Bottleneck =>
  'advice' in bottleneck ? bottleneck : bottleneckInWords(bottleneck)

type Silent = Exclude<FoundReason | ResultReason, Reason>

function words(
  found: Silent,
  bottleneck: Bottleneck = { code: 'unknown', process: null, what: '', advice: '' },
): Words {
  switch (found.code) {
    case 'stopped-by-errors':
      return [
        `The load ended by itself after ${lasted(found.load)}, because ${percent(found.share)} of `
          + `${found.load.requests} requests failed (${failureList(found.load.failures)}). On an n8n that the lab did `
          + 'not start, more than a tenth ends it, and nothing more is sent.',
        whatCameBack,
      ]
    case 'stopped-by-latency':
      return [
        `The load ended by itself after ${lasted(found.load)}${at(found.load)}, because most answers took `
          + `longer than ${ms(found.bound)} for two seconds. On an n8n that the lab did not start, nothing higher is `
          + 'sent then.',
        'This n8n has no room for that rate beside its other callers. Give it more, or ask for less.',
      ]
    case 'stopped-by-backlog':
      return [
        `The load ended by itself after ${lasted(found.load)}${at(found.load)}, because by its own figures `
          + 'n8n began more executions than it ended. On an n8n that the lab did not start, nothing higher is sent '
          + 'then.',
        'This n8n has no room for that rate beside its other executions. Give it more, or ask for less.',
      ]
    case 'errors':
      return [
        `${percent(found.share)} of ${found.requests} requests${to(found.workflow)} failed `
          + `(${failureList(found.failures)}), allowed are ${percent(found.bound)}.${andSo(bottleneck)}`,
        (bottleneck.what && `${bottleneck.advice} `) + whatCameBack,
      ]
    case 'latency':
      return [
        `${whole(found.share)} of the requests${to(found.workflow)} were answered within ${ms(found.taken)}, the `
          + `objective is ${ms(found.bound)}.${andSo(bottleneck)}`,
        bottleneck.advice,
      ]
    case 'backlog':
      return [
        `Executions under way grew by ${percent(found.growth)} of those accepted, allowed are ${percent(found.bound)}: `
          + `n8n accepts more than it finishes.${andSo(bottleneck)}`,
        `${bottleneck.advice} Or accept less; in the end memory runs out.`,
      ]
    case 'executions-failed':
      return [
        `${found.failed} of ${found.accepted} accepted executions ended in an error.`,
        'Open the failed executions in n8n: the workflow itself may be at fault.',
      ]
    case 'executions-lost': {
      const which = found.ids.length ? `: ${named(found.ids, found.lost)}` : ''
      return [
        `${found.lost} of ${found.accepted} accepted executions never finished${which}.`,
        'Their process ended while it executed them: keep it alive. Its log, or another reason here, says why.',
      ]
    }
    case 'schedules-missed':
      return [
        `Of ${found.of} scheduled runs ${found.missed} were missed, and ${found.double} came twice.`,
        'Look in n8n’s log for what happened at that minute. scheduler.durable keeps in the database what is due.',
      ]
    case 'silent':
      return [
        `${found.process} answered no look for ${found.seconds} s: how many executions it had under way is not known.`,
        'It was too busy to answer, or stuck. Give it more CPU, or accept less; its log may say more.',
      ]
    case 'oom-killed':
    case 'heap-exhausted':
    case 'crashed':
      return death(found)
    case 'too-few':
      return [
        `${found.answers} answers are too few to judge by: it takes at least ${found.least}.`,
        `${saysNothing} Make load.step or load.duration longer, or raise the rate.`,
      ]
    case 'too-short':
      return [
        `The step of ${seconds(found.lasted)} was too short for executions of ${seconds(found.ran)}: the number under `
          + 'way rises until the first of them end.',
        `${saysNothing} Make load.step or load.duration at least twice as long as an execution.`,
      ]
    case 'generator-behind':
      return [generator(found), `${saysNothing} Give the generator more cores, or lower the rate.`]
    case 'machine-busy':
      return [
        `Others had n8n’s cores: it waited for one ${percent(found.waited)} of the time.`,
        `${saysNothing} Close other programs of this machine, or wait until it is quiet: --when-quiet.`,
      ]
    case 'nothing-held':
      return [
        `No rate held, the lowest tried was ${perSecond(found.lowest)}.`,
        'Lower the rate at which the search begins, give n8n more CPU or memory, or allow more in the objective.',
      ]
    case 'never-ready':
      return [
        found.failure.message,
        found.failure.code === cannotHold
          ? ''
          : 'Read the last lines of its log, and start it alone with the same values.',
      ]
  }
}

type Words = [text: string, advice: string]

function death({ code, process, exit, limit, heap, untuned }: Death): Words {
  const limits = limitsOf(process)
  const how = untuned ? 'Set tuning.tier: tuned, whose heap follows the limit, or raise' : 'Raise'
  const raise = `${how} ${limits}.memory`
  const most = limit === null ? 'the whole machine' : `${Math.round(limit / 2 ** 20)} MiB`
  if (code === 'oom-killed')
    return [
      `${process} was killed for memory: it needed more than its limit of ${most}.`
        + (heap === null ? '' : ` Its heap last held ${memory(heap)} of it, the rest was outside of the heap.`),
      `${raise}.`,
    ]
  if (code === 'heap-exhausted') {
    const megabytes = limits.replace('.resources.limits', '.heap.megabytes')
    return [
      `${process} ran out of heap, below its memory limit of ${most}.`,
      megabytes === limits ? `${raise}.` : `${raise} or ${megabytes}.`,
    ]
  }
  return [
    `${process} ended ${exit.signal ? `by ${exit.signal}` : `with exit code ${exit.code}`} under load.`,
    'Its log, in the run’s folder, says why.',
  ]
}

function generator(found: Extract<FoundReason, { code: 'generator-behind' }>): string {
  switch (found.by) {
    case 'lag':
      return (
        `The generator itself sent ${whole(found.late)} of the requests ${ms(found.lag)} late or more, although it had `
        + 'clients free, so the latencies are partly its own.'
      )
    case 'limit':
      return (
        `The generator used ${percent(found.cpu)} of its own core: its clients could not send faster, so the rate is `
        + 'the generator’s limit.'
      )
    case 'cores': {
      const own =
        found.own === null ? '' : `, k6 for ${percent(found.own)}; the rest is the lab and what else runs there`
      return (
        `The generator’s cores were busy for ${percent(found.busy)} of the step${own}: their limit may be what is seen `
        + 'here.'
      )
    }
    case 'silence':
      return 'The generator sent no request.'
    case 'unsent':
      return (
        `The generator sent ${count(found.requests)} of the ${count(found.planned)} requests that were due and ended: `
        + 'this is not the load that was asked for.'
      )
  }
}

const percent = (share: number) => `${(share * 100).toFixed(share < 0.01 ? 2 : 1)} %`
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`
const whole = (share: number) => `${Number((share * 100).toFixed(1))} %`
const ms = (value: number) => `${Math.round(value)} ms`
const lasted = ({ startedAt, endedAt }: LoadResult) => seconds(endedAt - startedAt)

const at = ({ rate }: LoadResult) => (rate === null ? '' : ` at ${perSecond(rate)}`)

/** In a mix, whose requests they are. */
const to = (workflow: string | undefined) => (workflow === undefined ? '' : ` to ${workflow}`)
const andSo = ({ what }: Bottleneck) => (what ? ` ${what}` : '')

const saysNothing = 'This step says nothing about n8n.'

/** The same for all reasons of wrong answers. */
const whatCameBack =
  'Look at what came back. 5xx: n8n refuses or fails. refused, reset: a process has ended. '
  + 'timeout: a process hangs. wrong: the answer is not the one that the request expects.'

/** At most ten of so many, and the number of the others. */
const named = (ids: string[], of: number) =>
  of > 10 ? `${ids.slice(0, 10).join(', ')} and ${of - Math.min(10, ids.length)} others` : ids.join(', ')

function failureList(failures: Record<string, number>): string {
  return Object.entries(failures)
    .map(([kind, count]) => `${count} ${kind.replace('status_', '').replace('_', ' ')}`)
    .join(', ')
}
