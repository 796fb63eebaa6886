import { loadErrors } from './load-errors.ts'
import { busyShare } from './busy.ts'
import { peakOf } from './course.ts'
import type { Generator } from './generator.ts'
import { runOn } from './parts.ts'
import { points } from './points.ts'
import type { LoadResult } from '../model/load-result.ts'
import { clientsFor, lateMost, scheduleOf } from './step.ts'
import { readSummary } from './summary.ts'
import { requestsOf } from './requests.ts'
import { type PlannedStep, settling } from '../model/step.ts'

export interface DriveOptions {
  generator: Generator
  /** The objective: it decides how many requests may be under way. */
  p95: number
  /** Ends the step at once and keeps nothing. */
  signal: AbortSignal
  /** Asked while the step runs: true ends it early and keeps the counts so far. */
  endEarly?: () => boolean
  /** Ends the step as soon as the number of late answers misses the objective in any case. */
  giveUp?: boolean
  /** Ends the step when more than a tenth of the answers are errors. */
  stops?: boolean
  /** Where k6 also writes its figures while it runs, and their labels. */
  remoteWrite?: RemoteWrite
}

export interface RemoteWrite {
  url: string
  labels: Record<string, string>
}

/** Drives one step with k6. */
export async function driveStep(step: PlannedStep, options: DriveOptions): Promise<LoadResult> {
  const { generator, signal, endEarly } = options
  const { summary, failed, killed, ended, endedAt, elapsed, cpuSeconds, looks, log } = await runOn(generator, {
    scenario: step.shape.kind === 'closed' ? 'closed' : 'open',
    env: stepEnv(step, options),
    requests: requestsOf(step),
    signal,
    endEarly,
  })
  if (killed) throw loadErrors.generatorLost(ended, log)
  if (summary === null || failed) throw loadErrors.generatorFailed(ended, log)
  const result = readSummary(JSON.parse(summary), step, { endedAt, generatorCpu: null })
  const overall = cpuSeconds === null ? null : cpuSeconds / elapsed / generator.cores
  const from = result.startedAt + (step.shape.kind === 'closed' ? settling(step.duration) * 1000 : 0)
  const underLoad = busyShare(looks ?? [], from, result.endedAt, generator.cores)
  return { ...result, generatorCpu: underLoad ?? overall }
}

function stepEnv(step: PlannedStep, { p95, giveUp, stops, remoteWrite }: DriveOptions): Record<string, string> {
  const { url, method, mix, tables, timeout, duration, shape, arrivals = 'random', seed = 1 } = step
  const common = {
    ...(remoteWrite && remoteWriteEnv(remoteWrite)),
    POINTS: String(points.length),
    URL: url,
    METHOD: method,
    TIMEOUT: String(timeout),
    DURATION: String(duration),
    ...(stops && { STOP: 'yes' }),
    ...(mix && { PARTS: String(mix.length) }),
    ...(tables?.length && { TABLES: String(tables.length) }),
  }
  if (shape.kind === 'closed') return { ...common, VUS: String(shape.vus) }
  const { from, stages, waiting = 0 } = scheduleOf(step)
  const open = {
    ...common,
    FROM: String(from),
    STAGES: JSON.stringify(stages),
    WAITING: String(waiting),
    ARRIVALS: arrivals,
    SEED: String(seed),
    // Requests that come at once need clients beside those of the schedule.
    CLIENTS: String(waiting + clientsFor(shape.kind === 'course' ? peakOf(shape) : shape.rate, p95)),
  }
  if (shape.kind === 'course') return open
  return {
    ...open,
    SETTLING: String(settling(duration)),
    ...(Number.isFinite(p95) && {
      OBJECTIVE: String(p95),
      ...(giveUp && { LATE_MOST: String(lateMost(shape.rate, duration)) }),
    }),
  }
}

/** k6's own variables: credentials and headers (also within variable names) come from the lab's environment. */
function remoteWriteEnv({ url, labels }: RemoteWrite): Record<string, string> {
  return {
    K6_OUT: 'experimental-prometheus-rw',
    K6_PROMETHEUS_RW_SERVER_URL: url,
    K6_PROMETHEUS_RW_TREND_STATS: 'p(50),p(95),p(99),max',
    TAGS: JSON.stringify(labels),
  }
}
