import { account, uncounted } from '../judge/accounting.ts'
import { disagreements, type Disagreement } from '../judge/agreement.ts'
import { bottleneckIn } from '../judge/bottleneck.ts'
import { keptWaiting } from '../judge/bottlenecks/cpu.ts'
import { heapBefore, seenIn, type Sampled } from '../judge/seen.ts'
import { judge } from '../judge/verdict.ts'
import { verdictOfStep } from '../report/reason-words.ts'
import { peakOf } from '../load/course.ts'
import { driveStep, driveWhole, type RemoteWrite } from '../load/k6.ts'
import type { Executing } from '../chart/executing.ts'
import type { Latency, LoadResult } from '../model/load-result.ts'
import type { Called, Tally } from '../n8n/executions.ts'
import { isSoak } from '../model/operating.ts'
import type { Target } from '../targets/target.ts'
import type { Running } from '../n8n/running.ts'
import type { Backlog } from './backlog.ts'
import type { Counter } from './counter.ts'
import type { Editors } from './editors.ts'
import type { OpenSchedules } from './schedules.ts'
import { watchKeptHeaps } from './kept-heaps.ts'
import { counts, drainPatience, quietCounts } from './quiet.ts'
import type { PlannedStep, Step } from '../model/step.ts'
import type { Slo } from '../model/experiment.ts'
import type { TargetEvent } from '../model/event.ts'

/** A cell that is up, with what watches it. */
export interface WatchedCell {
  running: Running
  target: Target
  counter: Counter
  /** These grow while the cell is measured. */
  sampled: Sampled
  /** Of somebody else's n8n. */
  backlog?: Backlog
  exits: TargetEvent[]
  editors?: Editors
  schedules?: OpenSchedules
  executing: Executing
  /** Its workflows have Code nodes. */
  hasCode: boolean
  slo: Slo
  /** n8n runs on its own defaults. */
  untuned: boolean
  /** The workflows that the load calls. */
  called: Called[]
  /** Nothing else begins executions there: no sub-workflow, no schedule, nobody else. */
  alone: boolean
  remoteWrite?: RemoteWrite
  signal: AbortSignal
}

export interface StepOrder {
  load: PlannedStep
  repeat: number
  /** Which turn of several n8n that are loaded in turns. */
  turn?: number
  purpose: Step['purpose']
  /**
   * Ends a step of a search as soon as more of it would say no more: after a death, or far beyond the capacity. A
   * closed step continues.
   */
  endOnExit: boolean
  /** How long answers take while the load is low, on somebody else's n8n. */
  usual?: Latency
}

/** Drives one step and returns its result. */
export type Measure = (
  shape: PlannedStep['shape'],
  duration: number,
  rest: Pick<StepOrder, 'purpose' | 'endOnExit' | 'usual'>,
) => Promise<Step>

/**
 * How long n8n may take to find executions that died with a process: a new process looks for them some time after its
 * start.
 */
const deathPatience = 120_000

/**
 * A step ends when this share of its answers is late. What is somebody else's is not loaded beyond its objective. Of
 * ours, the rest of the step says how far it is beyond.
 */
const lateShare = { own: 0.6, foreign: 0.05 }

/**
 * Drives one step, from an idle n8n to an idle n8n, and judges it. A warm-up need not wait until n8n is idle, but on
 * somebody else's n8n each of its rates is judged.
 */
export async function measureStep(
  order: StepOrder,
  watched: WatchedCell,
): Promise<Step & { disagreements: Disagreement[] }> {
  const { running, target, sampled, exits, slo, signal } = watched
  const settled = order.purpose === 'warm-up' && !target.foreign ? 0 : drainPatience
  const counting = counts(running)
  const before = counting ? await quietCounts(watched, settled) : null
  const soaks = order.purpose === 'measure' && isSoak(order.load.duration)
  const lookAgain = soaks ? await watchKeptHeaps(running.processes) : null
  const exitsBefore = exits.length
  const waited = order.purpose === 'warm-up' ? null : await waitedFor(running)
  const backlog = watched.backlog?.under(busiest(order.load.shape))
  let grew = false
  // What comes after a warm-up rests on what it found, and nothing judges that.
  const drive = order.purpose === 'measure' ? driveStep : driveWhole
  const driven = await drive(order.load, {
    generator: target.generator,
    p95: slo.p95,
    remoteWrite: watched.remoteWrite,
    signal,
    giveUp: order.endOnExit ? (target.foreign ? lateShare.foreign : lateShare.own) : 0,
    stops: target.foreign,
    usual: order.usual,
    endEarly: () => {
      grew ||= backlog?.grows(Date.now()) ?? false
      return grew || (order.endOnExit && exits.length > exitsBefore)
    },
  })
  backlog?.end()
  const load: LoadResult = grew ? { ...driven, stopped: 'backlog' } : driven
  const died = exits.length > exitsBefore
  const asked = died ? await running.ready(signal) : 0
  const after = counting ? await quietCounts(watched, settled && died ? deathPatience : settled) : null
  const tally = before?.database ? await watched.counter.tally(before.database.newest) : null
  const { accepted } = load
  const earlier = order.purpose === 'measure' ? before?.database : null
  const times = earlier ? await watched.counter.times(earlier.newest, accepted) : null
  const accounting =
    before && after
      ? account(
          {
            accepted,
            sent: load.requests - load.dropped,
            before,
            after,
            tally,
            called: watched.called,
            asked: asked + after.asked,
            alone: watched.alone,
          },
          sampled.samples.during(load),
          wasWhole(load, order.load) ? { ...load, took: times?.ran.p95 ?? null } : null,
        )
      : uncounted(accepted)
  const waitedSince = waited === null ? null : await waitedFor(running)
  const request =
    waited !== null && waitedSince !== null && load.latency && accepted > 0
      ? { services: (waitedSince - waited) / accepted, all: load.latency.mean }
      : null
  const schedules = order.purpose === 'measure' ? await watched.schedules?.during(load) : undefined
  const seen = seenIn(sampled, load, { ...whatIsThere(watched), request })
  const verdict = verdictOfStep(
    judge(
      {
        load,
        accounting,
        schedules,
        exits: exits.slice(exitsBefore),
        limitOf: (process) => running.processes.find(({ name }) => name === process)?.limits.memory ?? null,
        heapBefore: (end) => heapBefore(sampled.samples, end),
        untuned: watched.untuned,
        stops: target.foreign,
        ran: times?.ran.p50 ?? null,
        bottleneck: bottleneckIn(seen),
        waited: keptWaiting(seen),
      },
      slo,
    ),
  )
  // The lab does not wait for the end of a warm-up, so its counts come from different moments.
  const different =
    before && after && order.purpose === 'measure' ? disagreements(before, after, tally, watched.alone) : []
  const parts = tally && order.purpose === 'measure' ? partsOf(order.load, tally) : null
  const keptHeaps = await lookAgain?.()
  const spread = before && after ? gained(before.requests, after.requests) : {}
  return {
    repeat: order.repeat,
    ...(order.turn && { turn: order.turn }),
    purpose: order.purpose,
    load,
    accounting,
    ...(parts && { parts }),
    times,
    ...(keptHeaps?.length && { keptHeaps }),
    ...(watched.editors && { editors: watched.editors.during(load) }),
    ...(schedules && { schedules }),
    spread,
    ...verdict,
    disagreements: different,
  }
}

const busiest = (shape: PlannedStep['shape']) =>
  shape.kind === 'closed' ? shape.vus : shape.kind === 'constant' ? shape.rate : peakOf(shape)

/** A search ends a step early if its result can no longer change. */
const wasWhole = ({ startedAt, endedAt }: LoadResult, { duration }: PlannedStep) =>
  endedAt - startedAt > 0.9 * duration * 1000

/** What each workflow of a mix finished; null where n8n's database does not say it of all. */
function partsOf({ mix }: PlannedStep, { by, gone }: Tally): Step['parts'] | null {
  if (!mix || gone > 0 || Object.values(by).some(({ unknown }) => unknown > 0)) return null
  return mix.map(({ workflow, id }) => ({ workflow, finished: by[id]?.finished ?? 0 }))
}

const gained = (before: Record<string, number>, after: Record<string, number>) =>
  Object.fromEntries(Object.entries(after).map(([process, count]) => [process, count - (before[process] ?? 0)]))

/** Milliseconds that all executions so far have waited for services; null where no mock answers them. */
async function waitedFor({ outside }: Running): Promise<number | null> {
  const count = await outside?.().catch(() => null)
  return count ? count.calls.reduce((sum, { count: of, waited }) => sum + of * (waited.mean ?? 0), 0) : null
}

const whatIsThere = ({ running, target, executing, hasCode }: WatchedCell) => ({
  processes: running.processes,
  cores: target.cores.target.length || null,
  ...executing,
  runner: hasCode ? executing.runner : null,
})
