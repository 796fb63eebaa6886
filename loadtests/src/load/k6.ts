import { invalid } from '../lib/errors.ts'
import type { Latency, LoadResult } from '../model/load-result.ts'
import type { Generated, Generator, GeneratorLook, GeneratorWork } from './generator.ts'
import { lateMost, mostAtOthers, mostUnderWay, scheduleOf } from './step.ts'
import { points, readSummaries, type K6Summary } from './summary.ts'
import { settling, type PlannedPart, type PlannedStep } from '../model/step.ts'
import type { Calls } from '../../scenarios/request.ts'
import { requestsIn, sendersFor } from '../../scenarios/schedule.ts'

/** The one driver of k6: for steps of a search or of a given load, and for loads with a fault in them. */

export interface DriveOptions {
  generator: Generator
  /** The objective: it decides how many requests may be under way. */
  p95: number
  /** Ends the step at once and keeps nothing. */
  signal: AbortSignal
  /** Asked while the step runs: true ends it early and keeps the counts so far. */
  endEarly?: () => boolean
  /** Ends the step as soon as more than this share of all its answers is late. */
  giveUp?: number
  /**
   * n8n is somebody else's: few requests may be under way. The step ends when more than a tenth of the answers are
   * errors, or most are late for two seconds.
   */
  stops?: boolean
  /** How long its answers take while the load is low, as far as that is known. */
  usual?: Pick<Latency, 'mean'>
  /** Where k6 also writes its figures while it runs, and their labels. */
  remoteWrite?: RemoteWrite
}

export interface RemoteWrite {
  url: string
  labels: Record<string, string>
}

/** Drives one step, and returns what the generator saw. */
export async function driveStep(step: PlannedStep, options: DriveOptions): Promise<LoadResult> {
  const { generator, signal } = options
  let wasAsked = false
  const endEarly = () => (wasAsked ||= options.endEarly?.() ?? false)
  const parts = await run(generator, {
    scenario: step.shape.kind === 'closed' ? 'closed' : 'open',
    env: { POINTS: points.map(({ percentile }) => percentile).join(','), ...envOf(step, options) },
    requests: requestsOf(step),
    signal,
    endEarly,
  })
  const endedAt = Math.max(...parts.map((part) => part.endedAt))
  const result = readSummaries(parts.map(summaryOf), step, { endedAt, generatorCpu: null })
  const from = result.startedAt + (step.shape.kind === 'closed' ? settling(step.duration) * 1000 : 0)
  const isWhole = !wasAsked && !parts.some(({ stopped }) => stopped)
  return {
    ...result,
    ...(isWhole && { planned: plannedIn(step, result) }),
    ...(step.shape.kind !== 'closed' && { seed: step.seed ?? 1, senders: sendersOf(step, options) }),
    coresBusy: busyCores(parts, from, result.endedAt, generator.cores),
    generatorCpu: busiest(parts, from, result.endedAt, generator.cores),
  }
}

/** The same of a load whose figures are used without a verdict: it is what was planned, or it fails. */
export async function driveWhole(step: PlannedStep, options: DriveOptions): Promise<LoadResult> {
  const load = await driveStep(step, options)
  const { requests, planned = requests } = load
  if (requests !== planned)
    throw loadCut(
      `Expected k6 to send ${planned} requests in ${step.duration} s, but it sent ${requests} and ended.`,
      'Nothing can rest on such a load: look for what ends programs on k6’s machine, and try it again.',
    )
  return load
}

const loadCut = (message: string, hint: string) => invalid('load-cut', message, hint)

/** Clients that wait end their load with it, up to this share of it early. */
const closedEarly = 0.25

/** How many requests the whole load was to send. */
function plannedIn(step: PlannedStep, { requests, startedAt, endedAt }: LoadResult): number {
  if (step.shape.kind !== 'closed') return requestsIn(scheduleOf(step))
  const share = (endedAt - startedAt) / 1000 / step.duration
  return share < 1 - closedEarly ? Math.max(requests + 1, Math.round(requests / share)) : requests
}

/** How many clients of all parts share the requests of an open load. */
function sendersOf(step: PlannedStep, options: DriveOptions): number {
  const { parts = 1 } = options.generator
  return parts * sendersFor(scheduleOf(step), underWay(step, options), parts)
}

const underWay = (step: PlannedStep, { generator, p95, stops }: Pick<DriveOptions, 'generator' | 'p95' | 'stops'>) =>
  (stops ? mostAtOthers : mostUnderWay)(step, p95, generator)

/** One request as the generator saw it. Times are epoch milliseconds. */
export interface Traced {
  id: string
  began: number
  /** Milliseconds until its answer, or until the generator gave it up. */
  taken: number
  outcome: 'accepted' | 'refused' | 'unanswered'
  /** The status of the answer; 0 without one. */
  status: number
  /** The answer was n8n's own word that it is starting. Absent for every other answer. */
  starting?: boolean
}

/** Drives one step whose requests each carry an id that begins with `trace`, and returns all of them. */
export async function traceStep(
  step: PlannedStep,
  trace: string,
  { generator, signal }: Pick<DriveOptions, 'generator' | 'signal'>,
): Promise<Traced[]> {
  // A caller waits as long as the timeout, so nothing but that bounds how many wait.
  const parts = await run(generator, {
    scenario: 'open',
    env: { ...envOf(step, { generator, p95: 250 * (step.timeout + 5) }), TRACE: trace },
    requests: requestsOf(step),
    told: true,
    signal,
  })
  const traced = parts.flatMap(({ told = [], log }) => told.map((line) => tracedIn(line, log)))
  const planned = requestsIn(scheduleOf(step))
  if (traced.length !== planned)
    throw loadCut(
      `Expected ${planned} requests, as many as were due, and k6 told of ${traced.length}.`,
      'Without all of them, what became of each cannot be said: try it again.',
    )
  return traced
}

/** A line that ends early is one of a k6 that could not write, or was ended while it wrote. */
function tracedIn(line: string, log: string[]): Traced {
  try {
    return JSON.parse(line) as Traced
  } catch {
    throw generatorFailed('a list of requests that is cut short', log)
  }
}

/** Runs the work in all parts of the generator; if one part fails, all have failed. */
async function run(generator: Generator, work: GeneratorWork): Promise<Generated[]> {
  const parts = await generator.run(work)
  const lost = parts.find(({ killed }) => killed)
  if (lost)
    throw invalid(
      'generator-lost',
      `Expected k6 to finish its step, but it was ended from outside: ${lost.ended}.`,
      'A machine or a pod without memory ends its largest process: give the generator more of it, or lower the rate.',
      lost.log,
    )
  const failed = parts.find(({ failed, summary }) => failed || (summary === null && !work.told))
  if (failed) throw generatorFailed(failed.ended, failed.log)
  return parts
}

const generatorFailed = (ended: string, log: string[]) =>
  invalid(
    'generator-failed',
    `Expected k6 to finish its step, but it ended with ${ended}.`,
    'The last lines of k6’s log say why.',
    log,
  )

const summaryOf = ({ summary }: Generated) => JSON.parse(summary!) as K6Summary

/** The share of its own cores that the busiest part used under the load; null where that cannot be read. */
function busiest(parts: Generated[], from: number, to: number, cores: number): number | null {
  const shares = parts.flatMap(({ looks = [], cpuSeconds, elapsed }) => {
    const overall = cpuSeconds === null ? null : cpuSeconds / elapsed / cores
    return busyShare(looks, from, to, cores) ?? overall ?? []
  })
  return shares.length ? Math.max(...shares) : null
}

/** The same for all that ran on these cores. */
function busyCores(parts: Generated[], from: number, to: number, cores: number): number | null {
  const shares = parts.flatMap(({ looks = [] }) => {
    const known = looks.flatMap(({ at, busy }) => (busy === undefined ? [] : [{ at, seconds: busy }]))
    return busyShare(known, from, to, cores) ?? []
  })
  return shares.length ? Math.max(...shares) : null
}

/**
 * Share of its cores that the generator used between two moments; null without two looks. Making its clients before the
 * load, and waiting for the last answers after it, would lower the share.
 */
export function busyShare(looks: GeneratorLook[], from: number, to: number, cores: number): number | null {
  const within = looks.filter(({ at }) => at >= from && at <= to)
  const [first, last] = [within[0], within.at(-1)]
  if (!first || !last || first === last) return null
  return (last.seconds - first.seconds) / ((last.at - first.at) / 1000) / cores
}

function envOf(step: PlannedStep, options: Omit<DriveOptions, 'signal'>): Record<string, string> {
  const { url, method, mix, tables, timeout, duration, shape, arrivals = 'random', seed = 1, mark } = step
  const { generator, p95, giveUp, stops, usual, remoteWrite } = options
  const { parts = 1 } = generator
  const common = {
    ...(remoteWrite && remoteWriteEnv(remoteWrite)),
    URL: url,
    METHOD: method,
    TIMEOUT: String(timeout),
    DURATION: String(duration),
    PARTS: String(parts),
    ...(stops && { STOP: 'yes' }),
    ...(Number.isFinite(p95) && { OBJECTIVE: String(p95) }),
    ...(mark && { MARK: mark }),
    ...(mix && { WORKFLOWS: String(mix.length) }),
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
    CLIENTS: String(underWay(step, options)),
    ...(usual && {
      USUAL: String(usual.mean),
      LEAST: String(Math.ceil((Math.max(from, ...stages.map(({ rate }) => rate)) * usual.mean) / 1000)),
    }),
  }
  if (shape.kind === 'course') return open
  return {
    ...open,
    SETTLING: String(settling(duration)),
    // One part does not know how many answers were late in the others, so no part ends the step early.
    ...(Number.isFinite(p95)
      && giveUp
      && parts === 1 && {
        LATE_MOST: String(lateMost(giveUp, shape.rate, duration)),
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

/** What k6 has to send, as JSON: every kind of request to every workflow. Undefined if it is one URL. */
function requestsOf({ url, method, requests, mix, tables = [] }: PlannedStep): string | undefined {
  if (!mix && !requests) return undefined
  const parts: Pick<PlannedPart, 'url' | 'method' | 'requests' | 'weight'>[] = mix ?? [
    { url, method, requests, weight: 1 },
  ]
  const calls = parts.flatMap((part, index) => shared(part).map((request) => ({ ...request, workflow: index })))
  return JSON.stringify({ calls, tables } satisfies Calls)
}

const bare = { headers: {}, body: null, weight: 1, expect: { status: null, json: null, text: null }, table: null }

/** The kinds of requests to one workflow share its weight. */
function shared({
  url,
  method,
  requests = [{ ...bare, url, method }],
  weight,
}: Pick<PlannedPart, 'url' | 'method' | 'requests' | 'weight'>) {
  const all = requests.reduce((sum, request) => sum + request.weight, 0)
  return requests.map((request) => ({ ...request, weight: (weight * request.weight) / all }))
}
