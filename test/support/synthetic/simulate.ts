import { account } from '../../../loadtests/src/judge/accounting.ts'
import { judge } from '../../../loadtests/src/judge/verdict.ts'
import { verdictOfStep } from '../../../loadtests/src/report/reason-words.ts'
import type { Measure } from '../../../loadtests/src/run/step.ts'
import { distributionOf, points, statOf } from '../../../loadtests/src/load/summary.ts'
import type { LoadResult } from '../../../loadtests/src/model/load-result.ts'
import { clientsFor, lateMost } from '../../../loadtests/src/load/step.ts'
import type { Executions, Sample } from '../../../loadtests/src/model/sample.ts'
import { Samples } from '../../../loadtests/src/model/samples.ts'
import { type PlannedStep, settling, type Step } from '../../../loadtests/src/model/step.ts'
import type { Slo } from '../../../loadtests/src/model/experiment.ts'
import type { Arrivals } from '../../../loadtests/src/model/load.ts'
import { requestsDue } from '../../../loadtests/scenarios/schedule.ts'
import type { TargetEvent } from '../../../loadtests/src/model/event.ts'
import { virtualClock, type Clock, type VirtualClock } from './clock.ts'
import type { Server } from './servers.ts'

/**
 * Drives a server of known capacity in virtual time: what k6 and the sampler would have seen, told at once. The
 * accounting and the verdict are the real ones.
 */
export interface Simulation {
  measure: Measure
  steps: Step[]
  samples: Samples
  /** Seconds that all of it would have taken. */
  elapsed(): number
}

export function simulate(
  make: (clock: Clock) => Server,
  slo: Slo,
  { most = Infinity, arrivals = 'even', seed = 1, clock = virtualClock() }: Options = {},
): Simulation {
  const steps: Step[] = []
  const samples = new Samples()
  const counted = { started: 0, succeeded: 0, failed: 0 }
  const server = counting(make(clock), counted)
  let last = { at: 0, cpu: 0 }
  const look = () => {
    const now = { at: clock.now(), cpu: server.cpu() }
    const cpu = now.at > last.at ? (1000 * (now.cpu - last.cpu)) / (now.at - last.at) : null
    last = now
    samples.add(sampleAt(now.at, cpu, { ...counted }))
  }
  let nth = 0
  return {
    steps,
    samples,
    elapsed: () => clock.now() / 1000,
    async measure(shape, duration, { purpose }) {
      if (purpose !== 'warm-up') {
        // n8n works off what is left before anything counts.
        clock.drain()
        clock.until(clock.now() + 1000)
      }
      look()
      const startedAt = clock.now()
      const deaths = server.deaths?.() ?? 0
      // A look can only come between two others: the sampler's second is not the generator's.
      for (let second = 0; second <= duration; second++) clock.at(startedAt + second * 1000 + 370, look)
      if (shape.kind === 'course') throw new Error('Expected a load of one rate.')
      const own = seed * 1000 + nth++
      const drawn = shape.kind === 'constant' ? { seed: own, senders: 1 } : {}
      const sent =
        shape.kind === 'closed'
          ? closed(server, clock, duration, shape.vus)
          : constant(server, clock, duration, {
              due: Array.from(
                requestsDue({
                  from: shape.rate,
                  stages: [{ rate: shape.rate, seconds: duration }],
                  arrivals,
                  seed: own,
                }),
                ({ second }) => second,
              ),
              clients: clientsFor(shape.rate, slo.p95),
              most,
              objective: slo.p95,
              late: lateMost(0.6, shape.rate, duration),
              settled: startedAt + settling(duration) * 1000,
              died: () => (server.deaths?.() ?? 0) > deaths,
            })
      const endedAt = sent.aborted ? clock.now() : startedAt + duration * 1000
      const loaded = clock.now()
      if (purpose !== 'warm-up') {
        clock.drain()
        look()
      }
      const load = { ...resultOf(sent, shape, startedAt, endedAt, duration, arrivals), ...drawn }
      const begun = sent.requests.filter(({ lost }) => !lost)
      const starts = Float64Array.from(begun, ({ at }) => at).sort()
      const ends = Float64Array.from(begun, ({ ended }) => ended).sort()
      const counts = (at: number) => ({ started: until(starts, at), succeeded: until(ends, at), failed: 0 })
      const nothing = { executions: { started: 0, succeeded: 0, failed: 0 }, underWay: 0, database: null, queue: null }
      const after = counts(purpose === 'warm-up' ? loaded : Infinity)
      const underWay = after.started - after.succeeded
      const accounting = account(
        {
          accepted: load.accepted,
          sent: load.requests - load.dropped,
          before: nothing,
          after: { executions: after, underWay, database: null, queue: null },
          tally: null,
          called: [],
          asked: 0,
          alone: true,
        },
        samples.during(load),
        sent.aborted ? null : { ...load, took: null },
      )
      const step: Step = {
        repeat: 1,
        purpose,
        load,
        accounting,
        times: null,
        spread: {},
        ...verdictOfStep(
          judge(
            {
              load,
              accounting,
              exits: (server.deaths?.() ?? 0) > deaths ? [death(endedAt)] : [],
              limitOf: () => null,
              untuned: false,
            },
            slo,
          ),
        ),
      }
      steps.push(step)
      return step
    },
  }
}

interface Options {
  /** The generator sends no more than so many requests a second, whatever it is asked for. */
  most?: number
  arrivals?: Arrivals
  seed?: number
  /** That of another server too, where the two are loaded in turns. */
  clock?: VirtualClock
}

/** How many of these ascending moments have come. */
function until(moments: Float64Array, now: number): number {
  let [come, all] = [0, moments.length]
  while (come < all) {
    const middle = (come + all) >> 1
    if (moments[middle]! <= now) come = middle + 1
    else all = middle
  }
  return come
}

interface Generator {
  /** Seconds after the beginning, in order. */
  due: number[]
  clients: number
  most: number
  /** Milliseconds after which an answer is late, and how many of those end the step. */
  objective: number
  late: number
  settled: number
  /** Ends the load. */
  died: () => boolean
}

interface Request {
  /** When it was due, and when it was sent. */
  due: number
  at: number
  /** Milliseconds that its caller waited; endless where no answer came. */
  answered: number
  ended: number
  lost: boolean
}

interface Sent {
  requests: Request[]
  /** Due and never sent: no client was free for as long as a caller waits. */
  dropped: number
  /** Milliseconds by which the generator itself was late, of requests that found a client free. */
  lags: number[]
  /** Ended before its time, since the answers that were late already decided. */
  aborted: boolean
}

/** Milliseconds that a caller waits. */
const timeout = 30_000

/** Clients take the requests in the order in which they are due, each as soon as one of them is free. */
function constant(server: Server, clock: VirtualClock, seconds: number, generator: Generator): Sent {
  const sent: Sent = { requests: [], dropped: 0, lags: [], aborted: false }
  const start = clock.now()
  const waiting: number[] = []
  let taken = 0
  let [next, busy, late, free, open] = [0, 0, 0, start, generator.due.length]
  const send = (due: number) => {
    const found = clock.now()
    if (found - due > timeout) {
      sent.dropped++
      open--
      return
    }
    busy++
    const at = Math.max(free, found)
    free = at + 1000 / generator.most
    if (found === due) sent.lags.push(at - due)
    clock.at(at, () => {
      const request: Request = { due, at, answered: Infinity, ended: Infinity, lost: false }
      sent.requests.push(request)
      server.request(
        () => {
          // What the generator itself was late does not count as waiting.
          request.answered = clock.now() - at + found - due
          if (request.answered > generator.objective && due >= generator.settled) late++
          busy--
          open--
          if (late > generator.late) sent.aborted = true
          while (!sent.aborted && taken < waiting.length && busy < generator.clients) send(waiting[taken++]!)
        },
        (how) => {
          request.ended = clock.now()
          request.lost = how === 'lost'
        },
      )
    })
  }
  const come = () => {
    if (sent.aborted) return
    const due = clock.now()
    if (busy < generator.clients) send(due)
    else waiting.push(due)
    if (++next < generator.due.length) clock.at(start + generator.due[next]! * 1000, come)
  }
  clock.at(start + generator.due[0]! * 1000, come)
  clock.drain(() => (sent.aborted ||= generator.died()) || open === 0)
  if (!sent.aborted) clock.until(Math.max(clock.now(), start + seconds * 1000))
  return sent
}

function closed(server: Server, clock: VirtualClock, seconds: number, vus: number): Sent {
  const sent: Sent = { requests: [], dropped: 0, lags: [], aborted: false }
  const end = clock.now() + seconds * 1000
  const ask = () => {
    const at = clock.now()
    if (at >= end) return
    const request: Request = { due: at, at, answered: Infinity, ended: Infinity, lost: false }
    sent.requests.push(request)
    server.request(
      () => {
        request.answered = clock.now() - at
        clock.at(Math.max(clock.now(), at + 0.1), ask)
      },
      (how) => {
        request.ended = clock.now()
        request.lost = how === 'lost'
      },
    )
  }
  for (let client = 0; client < vus; client++) ask()
  clock.until(end)
  return sent
}

function resultOf(
  { requests, dropped, lags }: Sent,
  shape: PlannedStep['shape'],
  startedAt: number,
  endedAt: number,
  duration: number,
  arrivals: Arrivals,
): LoadResult {
  const settled = shape.kind === 'constant' ? startedAt + settling(duration) * 1000 : startedAt
  const times = requests
    .filter(({ due, answered }) => due >= settled && Number.isFinite(answered))
    .map(({ answered }) => answered)
    .sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))]!
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  return {
    shape: shape.kind,
    rate: shape.kind === 'constant' ? shape.rate : null,
    vus: shape.kind === 'closed' ? shape.vus : null,
    startedAt,
    endedAt,
    requests: requests.length + dropped,
    accepted: requests.length,
    failures: dropped ? { unsent: dropped } : {},
    dropped,
    ...(shape.kind === 'constant' && { arrivals, lag: lagOf(lags) }),
    throughput: requests.length / ((endedAt - startedAt) / 1000),
    distribution: distributionOf({
      count: times.length,
      max: at(1),
      ...Object.fromEntries(points.map(({ percentile }) => [statOf(percentile), at(percentile / 100)])),
    }),
    latency: { mean, p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), max: at(1) },
    generatorCpu: null,
  }
}

function lagOf(lags: number[]): LoadResult['lag'] {
  const at = (share: number) => lags[Math.floor(share * (lags.length - 1))]!
  return lags.length ? { p95: at(0.95), p99: at(0.99), 'p99.9': at(0.999) } : null
}

const death = (at: number): TargetEvent => ({
  at,
  process: 'server',
  kind: 'exited',
  exit: { reason: 'oom-killed', code: null, signal: 'SIGKILL', log: [] },
})

/** The same server, and what it has begun and ended. */
function counting(server: Server, counted: Executions): Server {
  return {
    ...server,
    request(answered, ended) {
      counted.started++
      server.request(answered, (how) => {
        if (how === 'lost') counted.started--
        else counted.succeeded++
        ended(how)
      })
    },
  }
}

function sampleAt(at: number, cpu: number | null, executions: Executions): Sample {
  return {
    at,
    process: 'server',
    cpu,
    rss: null,
    pids: 1,
    heapUsed: null,
    heapTotal: null,
    external: null,
    lag: null,
    executions,
  }
}
