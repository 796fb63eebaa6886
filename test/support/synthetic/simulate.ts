import { account } from '../../../loadtests/src/analyse/accounting.ts'
import type { Step } from '../../../loadtests/src/analyse/summary.ts'
import { judge } from '../../../loadtests/src/analyse/verdict.ts'
import type { Measure } from '../../../loadtests/src/run/step.ts'
import { distributionOf, points, statOf } from '../../../loadtests/src/load/points.ts'
import type { LoadResult } from '../../../loadtests/src/load/result.ts'
import { clientsFor, lateMost, type LoadStep } from '../../../loadtests/src/load/step.ts'
import { settling } from '../../../loadtests/src/shared/settling.ts'
import type { Sample } from '../../../loadtests/src/observe/sample.ts'
import type { Slo } from '../../../loadtests/src/profile/experiment.ts'
import { objective, type Server } from './curves.ts'

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
        load.accepted,
        nothing,
        { executions: after, underWay: after.started - after.succeeded, database: null, queue: null },
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
  at: number
  answered: number
  ended: number
}

interface Sent {
  requests: Request[]
  dropped: number
}

function constant(server: Server, start: number, seconds: number, rate: number, generator: Generator): Sent {
  const requests: Request[] = []
  const busy: number[] = []
  let dropped = 0
  let free = start
  const late: number[] = []
  for (let index = 0; index < rate * seconds; index++) {
    const at = start + (index / rate) * 1000
    if (late.length > generator.late && late[generator.late]! <= at) break
    for (let one = 0; one < busy.length; one++) if (busy[one]! <= at) busy.splice(one--, 1)
    if (busy.length >= generator.clients || free > at) {
      dropped++
      continue
    }
    free = Math.max(free, at) + 1000 / generator.most
    const request = { at, ...server.request(at) }
    busy.push(at + request.answered)
    if (request.answered > objective && at >= generator.settled && late.length <= generator.late)
      late.push(at + request.answered)
    requests.push(request)
  }
  return { requests, dropped }
}

function closed(server: Server, start: number, seconds: number, vus: number): Sent {
  const requests: Request[] = []
  const clients = Array.from({ length: vus }, () => start)
  for (;;) {
    const client = clients.indexOf(Math.min(...clients))
    const at = clients[client]!
    if (at >= start + seconds * 1000) return { requests, dropped: 0 }
    const request = { at, ...server.request(at) }
    requests.push(request)
    clients[client] = at + Math.max(0.1, request.answered)
  }
}

function resultOf(
  { requests, dropped }: Sent,
  shape: LoadStep['shape'],
  startedAt: number,
  duration: number,
): LoadResult {
  const settled = shape.kind === 'constant' ? startedAt + settling(duration) * 1000 : startedAt
  const times = requests
    .filter(({ at }) => at >= settled)
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
    requests: requests.length,
    accepted: requests.length,
    failures: {},
    dropped,
    throughput: requests.length / duration,
    distribution: distributionOf({
      count: times.length,
      max: at(1),
      ...Object.fromEntries(points.map((point) => [statOf(point), at(point / 100)])),
    }),
    latency: { mean, p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), max: at(1) },
    generatorCpu: null,
  }
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
