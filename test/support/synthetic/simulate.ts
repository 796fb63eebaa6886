import { account } from '../../../loadtests/src/judge/accounting.ts'
import { judge } from '../../../loadtests/src/judge/verdict.ts'
import type { Measure } from '../../../loadtests/src/run/step.ts'
import { distributionOf, points, statOf } from '../../../loadtests/src/load/summary.ts'
import type { LoadResult } from '../../../loadtests/src/model/load-result.ts'
import { clientsFor, lateMost } from '../../../loadtests/src/load/step.ts'
import type { Sample } from '../../../loadtests/src/model/sample.ts'
import { objective, type Server } from './curves.ts'
import { type PlannedStep, settling, type Step } from '../../../loadtests/src/model/step.ts'
import type { Slo } from '../../../loadtests/src/model/experiment.ts'

/**
 * Drives a server of known capacity in virtual time: what k6 and the sampler would have seen, told at once. The
 * accounting and the verdict are the real ones.
 */
export interface Simulation {
  measure: Measure
  steps: Step[]
  /** Seconds that all of it would have taken. */
  elapsed(): number
}

/** The generator sends no more than `most` requests a second, whatever it is asked for. */
export function simulate(server: Server, slo: Slo, { most = Infinity }: { most?: number } = {}): Simulation {
  const steps: Step[] = []
  let now = 0
  let quietAt = 0
  return {
    steps,
    elapsed: () => now / 1000,
    async measure(shape, duration, { purpose }) {
      if (purpose === 'measure') now = Math.max(now, quietAt + 1000)
      const startedAt = now
      if (shape.kind === 'course') throw new Error('Expected a load of one rate.')
      const sent =
        shape.kind === 'closed'
          ? closed(server, startedAt, duration, shape.vus)
          : constant(server, startedAt, duration, shape.rate, {
              clients: clientsFor(shape.rate, slo.p95),
              most,
              late: lateMost(shape.rate, duration),
              settled: startedAt + settling(duration) * 1000,
            })
      const load = resultOf(sent, shape, startedAt, duration)
      const starts = Float64Array.from(sent.requests, ({ at }) => at)
      const ends = Float64Array.from(sent.requests, ({ at, ended }) => at + ended).sort()
      const counts = (at: number) => ({ started: until(starts, at), succeeded: until(ends, at), failed: 0 })
      // A look can only come between two others: the sampler's second is not the generator's.
      const samples = Array.from({ length: duration }, (_, second) => sampleAt(startedAt + second * 1000 + 370, counts))
      const end =
        sent.requests.length && sent.dropped === 0 && shape.kind === 'constant'
          ? sent.requests.at(-1)!.at + 1000 / shape.rate
          : startedAt + duration * 1000
      const last = Math.max(end, ends.at(-1) ?? 0)
      // A warm-up is not waited for, and then it is the next step that waits.
      now = purpose === 'warm-up' ? end : last + 1000
      quietAt = Math.max(quietAt, last)
      const nothing = { executions: { started: 0, succeeded: 0, failed: 0 }, underWay: 0, database: null, queue: null }
      const after = counts(now)
      const accounting = account(
        {
          accepted: load.accepted,
          sent: load.requests - load.dropped,
          before: nothing,
          after: { executions: after, underWay: after.started - after.succeeded, database: null, queue: null },
          tally: null,
          called: [],
          asked: 0,
          alone: true,
        },
        samples,
        load,
      )
      const step: Step = {
        repeat: 1,
        purpose,
        load,
        accounting,
        times: null,
        spread: {},
        ...judge({ load, accounting, exits: [], limitOf: () => '', untuned: false }, slo),
      }
      steps.push(step)
      return step
    },
  }
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
  clients: number
  most: number
  late: number
  settled: number
}

interface Request {
  /** When it was due, and when it was sent. */
  due: number
  at: number
  answered: number
  ended: number
}

interface Sent {
  requests: Request[]
  /** Due and never sent: no client was free for as long as a caller waits. */
  dropped: number
  /** Milliseconds by which the generator itself was late, of requests that found a client free. */
  lags: number[]
}

/** Milliseconds that a caller waits. */
const timeout = 30_000

function constant(server: Server, start: number, seconds: number, rate: number, generator: Generator): Sent {
  const requests: Request[] = []
  /** When each busy client is free again. */
  const busy: number[] = []
  const late: number[] = []
  const lags: number[] = []
  let dropped = 0
  let free = start
  for (let index = 0; index < rate * seconds; index++) {
    const due = start + (index / rate) * 1000
    if (late.length > generator.late && late[generator.late]! <= due) break
    for (let one = 0; one < busy.length; one++) if (busy[one]! <= due) busy.splice(one--, 1)
    const found = busy.length < generator.clients ? due : Math.min(...busy)
    if (found - due > timeout) {
      dropped++
      continue
    }
    if (found > due) busy.splice(busy.indexOf(found), 1)
    const at = Math.max(free, found)
    free = at + 1000 / generator.most
    if (found === due) lags.push(at - due)
    const { answered, ended } = server.request(at)
    busy.push(at + answered)
    // What the generator itself was late does not count as waiting.
    const waited = found - due + answered
    if (waited > objective && due >= generator.settled && late.length <= generator.late) late.push(at + answered)
    requests.push({ due, at, answered: waited, ended })
  }
  return { requests, dropped, lags: lags.sort((a, b) => a - b) }
}

function closed(server: Server, start: number, seconds: number, vus: number): Sent {
  const requests: Request[] = []
  const clients = Array.from({ length: vus }, () => start)
  for (;;) {
    const client = clients.indexOf(Math.min(...clients))
    const at = clients[client]!
    if (at >= start + seconds * 1000) return { requests, dropped: 0, lags: [] }
    const request = { due: at, at, ...server.request(at) }
    requests.push(request)
    clients[client] = at + Math.max(0.1, request.answered)
  }
}

function resultOf(
  { requests, dropped, lags }: Sent,
  shape: PlannedStep['shape'],
  startedAt: number,
  duration: number,
): LoadResult {
  const settled = shape.kind === 'constant' ? startedAt + settling(duration) * 1000 : startedAt
  const times = requests
    .filter(({ due }) => due >= settled)
    .map(({ answered }) => answered)
    .sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))]!
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  return {
    shape: shape.kind,
    rate: shape.kind === 'constant' ? shape.rate : null,
    vus: shape.kind === 'closed' ? shape.vus : null,
    startedAt,
    endedAt: startedAt + duration * 1000,
    requests: requests.length + dropped,
    accepted: requests.length,
    failures: dropped ? { unsent: dropped } : {},
    dropped,
    ...(shape.kind === 'constant' && { arrivals: 'even', lag: lagOf(lags) }),
    throughput: requests.length / duration,
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

function sampleAt(at: number, counts: (at: number) => Sample['executions']): Sample {
  return {
    at,
    process: 'server',
    cpu: null,
    rss: null,
    pids: 1,
    heapUsed: null,
    heapTotal: null,
    external: null,
    lag: null,
    executions: counts(at),
  }
}
