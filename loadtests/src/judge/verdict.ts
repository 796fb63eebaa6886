import { isTooWrong } from '../../scenarios/stop.ts'
import type { LoadResult } from '../model/load-result.ts'
import { isDeath, type DeathCode, type Exit, type TargetEvent } from '../model/event.ts'
import { unseen } from './bottleneck.ts'
import type { FoundBottleneck } from './bottlenecks/found.ts'
import { generatorFull } from './generator.ts'
import { latenessOf, metBy, ofWorkflow, percentiles } from './lateness.ts'
import { sum } from './statistics.ts'
import type { Slo } from '../model/experiment.ts'
import type { SchedulesSeen } from '../model/schedules.ts'
import type { Accounting, Bottleneck, Lateness, Reason, Step } from '../model/step.ts'

/** A reason by its code, with the figures that speak for it. `given`: the advice that an earlier version gave. */
export type FoundReason = { given?: string } & (
  | { code: 'stopped-by-errors'; load: LoadResult; share: number }
  | { code: 'stopped-by-latency'; load: LoadResult; bound: number }
  | { code: 'stopped-by-backlog'; load: LoadResult }
  | ({ code: 'errors'; share: number; bound: number } & Pick<LoadResult, 'requests' | 'failures'> & InTheWay)
  /** The share of the requests that was answered within so many milliseconds. */
  | ({ code: 'latency'; share: number; taken: number; bound: number } & InTheWay)
  | ({ code: 'backlog'; growth: number; bound: number } & Pick<InTheWay, 'bottleneck'>)
  | { code: 'executions-failed'; failed: number; accepted: number }
  | { code: 'executions-lost'; lost: number; accepted: number; ids: string[] }
  | ({ code: 'schedules-missed'; of: number } & Pick<SchedulesSeen, 'missed' | 'double'>)
  | { code: 'silent'; process: string; seconds: number }
  | Death
  | { code: 'too-few'; answers: number; least: number }
  | { code: 'too-short'; lasted: number; ran: number }
  | ({ code: 'generator-behind' } & (
      | { by: 'lag'; lag: number; late: number }
      | { by: 'limit'; cpu: number }
      | { by: 'cores'; busy: number; own: number | null }
      | { by: 'silence' }
      | { by: 'unsent'; requests: number; planned: number }
    ))
  | { code: 'machine-busy'; waited: number }
)

interface InTheWay {
  /** As it was recorded, if a step is judged again. */
  bottleneck: FoundBottleneck | Bottleneck
  /** In a mix, whose requests they are. */
  workflow?: string
}

export interface Death {
  code: DeathCode
  process: string
  exit: Pick<Exit, 'code' | 'signal'>
  /** Bytes; null where all of the machine's memory was its own. */
  limit: number | null
  /** Bytes at the last look before its end; null where that is unknown. */
  heap: number | null
  /** n8n ran on its own defaults. */
  untuned: boolean
}

/** What was found of a step. `reasons`: with those that were recorded, if it is judged again. */
export interface Judged<Found = FoundReason> {
  holds: boolean
  reasons: Found[]
  lateness?: Lateness[]
}

interface Evidence {
  load: LoadResult
  accounting: Accounting
  /** What the clock began beside the load; absent where nothing was to be. */
  schedules?: SchedulesSeen
  /** Processes that ended during the step. */
  exits: TargetEvent[]
  /** Bytes that a process may have; null where nothing limits it. */
  limitOf(process: string): number | null
  /** Bytes on the heap of a process at the last look before its end; null where that is unknown. */
  heapBefore?: (end: TargetEvent) => number | null
  /** n8n ran on its own defaults. */
  untuned: boolean
  /** n8n is somebody else's, and too many wrong answers end the load. */
  stops?: boolean
  /** Milliseconds within which half of the executions ended; null where n8n's database does not say. */
  ran?: number | null
  /** What ran out first. */
  bottleneck?: FoundBottleneck | Bottleneck
  /** The share of the time that n8n waited for a core that others had; null where it got its turn. */
  waited?: number | null
  /** Some process ended. */
  died?: boolean
}

/** A generator that is late by more than this share of the objective may have made the difference. */
const ownShare = 0.1

/** Does the step meet the objective? Returns every reason against it, not just the first. */
export function judge(
  {
    load,
    accounting,
    schedules,
    exits,
    limitOf,
    heapBefore = () => null,
    untuned,
    stops = false,
    ran = null,
    bottleneck = unseen,
    waited = null,
    died = exits.length > 0,
  }: Evidence,
  slo: Slo,
): Judged {
  const lateness = latenessOf(load, slo)
  const cut = died ? null : cutShort(load)
  if (cut) return { holds: false, reasons: [cut] }
  const stopped = stops && hasStopped(load)
  const missed: FoundReason[] = [
    ...exits.map((end) => deathOf(end, { limit: limitOf(end.process), heap: heapBefore(end), untuned })),
    ...(stopped
      ? [{ code: 'stopped-by-errors' as const, load, share: failedShare(load) }]
      : load.stopped
        ? stopReasons(load, load.stopped, slo)
        : requestReasons(load, slo, died, bottleneck, lateness)),
    ...executionReasons(accounting, slo, stopped ? null : tooShort(load, ran), bottleneck),
    ...(schedules ? scheduleReasons(schedules) : []),
    // Of one that died, its end says why it was silent.
    ...(died ? [] : (accounting.silent ?? []).map((one) => ({ code: 'silent' as const, ...one }))),
  ]
  // First, since without its cores n8n is late, and behind with its executions, for that alone.
  const found: FoundReason[] =
    missed.length > 0 && waited !== null && !died ? [{ code: 'machine-busy', waited }, ...missed] : missed
  return { holds: found.length === 0, reasons: found, ...(lateness.length && { lateness }) }
}

function deathOf({ process, exit }: TargetEvent, known: Pick<Death, 'limit' | 'heap' | 'untuned'>): Death {
  const { reason, code, signal } = exit!
  return { code: reason === 'stopped' ? 'crashed' : reason, process, exit: { code, signal }, ...known }
}

/**
 * Judges the same step by another objective. Dead processes and lost executions count under every objective. So
 * does a generator that fell behind in a run of earlier versions.
 */
export function judgeAgain(
  { load, accounting, schedules, reasons: before, times }: Step,
  slo: Slo,
): Judged<FoundReason | Reason> {
  const died = before.filter(
    ({ code }) => isDeath(code) || (code === 'generator-behind' && load.arrivals === undefined),
  )
  const stops = isStopped({ reasons: before })
  // What the step used up does not depend on what was asked of it.
  const seen = before.find(({ bottleneck }) => bottleneck)?.bottleneck
  const verdict = judge(
    {
      load,
      accounting,
      schedules,
      exits: [],
      limitOf: () => null,
      untuned: false,
      stops,
      ran: times?.ran.p50 ?? null,
      died: died.length > 0,
      bottleneck: seen,
    },
    slo,
  )
  // Who had the cores does not depend on it either, and counts where the new objective is missed.
  if (verdict.reasons.length > 0) died.push(...before.filter(({ code }) => code === 'machine-busy'))
  if (seen) return { ...verdict, holds: verdict.holds && died.length === 0, reasons: [...died, ...verdict.reasons] }
  // Of earlier versions: what its processes used is in the advice that was given then.
  const given = new Map(before.map(({ code, advice }) => [code, advice]))
  const found = verdict.reasons.map((reason) => ({ ...reason, given: given.get(reason.code) }))
  return { ...verdict, holds: verdict.holds && died.length === 0, reasons: [...died, ...found] }
}

type Failing = Pick<LoadResult, 'requests' | 'failures'>

const failedOf = ({ failures }: Failing) => sum(Object.values(failures))
const failedShare = (load: Failing) => (load.requests ? failedOf(load) / load.requests : 0)

/** Whether k6 has ended the load for its wrong answers, by the rule that k6 has. */
const hasStopped = (load: LoadResult) => isTooWrong(failedOf(load), load.accepted + failedOf(load))

/** The generator is to blame only if it was itself as late as the answers. */
function stopReasons(load: LoadResult, stopped: NonNullable<LoadResult['stopped']>, slo: Slo): FoundReason[] {
  if (stopped === 'backlog') return [{ code: 'stopped-by-backlog', load }]
  const lag = load.lag?.p95 ?? 0
  return [
    ...(lag > slo.p95 ? [{ code: 'generator-behind' as const, by: 'lag' as const, lag, late: 0.05 }] : []),
    { code: 'stopped-by-latency', load, bound: slo.p95 },
  ]
}

/** After such a step nothing more is sent. */
export const isStopped = ({ reasons: found }: Pick<Step, 'reasons'>): boolean =>
  found.some(({ code }) => code === 'stopped-by-errors')

function requestReasons(
  load: LoadResult,
  slo: Slo,
  died: boolean,
  bottleneck: FoundBottleneck | Bottleneck,
  lateness: Lateness[],
): FoundReason[] {
  const all = judgeRequests(load, slo, bottleneck)
  // A workflow with little traffic is lost among the others.
  const each = (load.parts ?? []).flatMap((part) =>
    judgeRequests(
      { ...part, requests: part.accepted + part.failed, failures: { failed: part.failed } },
      ofWorkflow(slo, part.workflow),
      bottleneck,
      part.workflow,
    ),
  )
  const found = [...all, ...each]
  const wrong = found.filter(({ code }) => code === 'errors')
  const fault = died ? null : generatorFault(load, slo, found.length > 0, bottleneck)
  const few = died || wrong.length > 0 || fault ? null : tooFew(lateness)
  // First, since what fails while the generator is at its end may be its own, and the run ends with its exit code.
  if (fault) return [fault, ...wrong]
  return few ? [...wrong, few] : found
}

/** Of all requests, or of those of one workflow: whether too many failed or came late. */
function judgeRequests(
  { requests, failures, latency }: Pick<LoadResult, 'requests' | 'failures' | 'latency'>,
  slo: Slo,
  bottleneck: FoundBottleneck | Bottleneck,
  workflow?: string,
): FoundReason[] {
  const share = failedShare({ requests, failures })
  const inTheWay = { bottleneck, ...(workflow !== undefined && { workflow }) }
  return [
    ...(share > slo.errors
      ? [{ code: 'errors' as const, requests, failures, share, bound: slo.errors, ...inTheWay }]
      : []),
    ...percentiles.flatMap(({ name, late }) => {
      const [taken = 0, bound = Infinity] = [latency?.[name], slo[name]]
      return taken > bound ? [{ code: 'latency' as const, share: 1 - late, taken, bound, ...inTheWay }] : []
    }),
  ]
}

/** With fewer answers than this, percentiles mean nothing. */
const leastAnswers = 10

/**
 * Few answers may well be enough to see that they are late: 8 of 8. Runs of earlier versions do not say how many
 * counted.
 */
function tooFew(lateness: Lateness[]): FoundReason | null {
  const [first] = lateness
  return first && first.of < leastAnswers && metBy([lateness]) !== false
    ? { code: 'too-few', answers: first.of, least: leastAnswers }
    : null
}

/**
 * The generator is blamed by evidence of its own alone: it sent late although little was under way, or its cores were
 * full, with all that runs on them. A stall of n8n is n8n's fault, however many requests wait. In a closed load, a
 * generator without spare CPU limits its own clients. On a small machine PostgreSQL has the same cores: where it reads
 * the editor's list, what fills them is known, and it was the generator only if that sent late.
 */
function generatorFault(
  load: LoadResult,
  slo: Slo,
  missed: boolean,
  bottleneck: Pick<Bottleneck, 'code'>,
): FoundReason | null {
  const { requests, shape, coresBusy = 0, generatorCpu, lag } = load
  const code = 'generator-behind'
  if (requests === 0) return { code, by: 'silence' }
  const full: FoundReason | null =
    coresBusy !== null && coresBusy > generatorFull && bottleneck.code !== 'execution-list'
      ? { code, by: 'cores', busy: coresBusy, own: generatorCpu }
      : null
  if (shape === 'closed')
    return generatorCpu !== null && generatorCpu > generatorFull ? { code, by: 'limit', cpu: generatorCpu } : full
  const late = percentiles.find(({ name }) => (lag?.[name] ?? 0) > ownShare * (slo[name] ?? Infinity))
  if (!missed) return null
  return late ? { code, by: 'lag', lag: lag![late.name]!, late: late.late } : full
}

/** Another load than the one that was due says nothing, however well it went. */
export function cutShort({ requests, planned = requests }: LoadResult): FoundReason | null {
  return requests > 0 && requests !== planned ? { code: 'generator-behind', by: 'unsent', requests, planned } : null
}

/**
 * The number under way rises for as long as one execution takes, so the step must be twice as long to see it settle.
 */
function tooShort({ startedAt, endedAt }: LoadResult, ran: number | null): FoundReason | null {
  const lasted = endedAt - startedAt
  return ran !== null && lasted < longEnough && lasted < 1.95 * ran ? { code: 'too-short', lasted, ran } : null
}

/** Milliseconds. If executions take more than half of this, they are not long by design: the workflow slowed down. */
const longEnough = 60_000

function executionReasons(
  { accepted, failed, lost, lostExecutions, waiting, backlogGrowth }: Accounting,
  slo: Slo,
  short: FoundReason | null,
  bottleneck: FoundBottleneck | Bottleneck,
): FoundReason[] {
  const found: FoundReason[] = []
  const backlog = (growth: number): FoundReason => ({ code: 'backlog', growth, bound: slo.backlog, bottleneck })
  if (failed !== null && failed > slo.errors * accepted) found.push({ code: 'executions-failed', failed, accepted })
  if (backlogGrowth !== null && backlogGrowth > slo.backlog) found.push(short ?? backlog(backlogGrowth))
  else if (waiting !== null && waiting > slo.backlog * accepted) found.push(backlog(waiting / Math.max(1, accepted)))
  if (lost !== null && lost > 0) found.push({ code: 'executions-lost', lost, accepted, ids: lostExecutions })
  return found
}

/** Under whatever objective: a run that did not come, or came twice, is none that may be late. */
const scheduleReasons = ({ missed, double, copies, due }: SchedulesSeen): FoundReason[] =>
  missed + double > 0 ? [{ code: 'schedules-missed', missed, double, of: copies * due }] : []
