import { quantile } from 'simple-statistics'
import type { Fate, Named, ServiceReturn } from '../model/fault.ts'
import type { Traced } from '../load/k6.ts'
import type { ExecutionOutcome } from '../n8n/executions.ts'

/** One execution of that time, with its end by n8n's database. */
export interface Executed {
  /** The request's id in its data; null where n8n replaced the data before the lab read it. */
  request: string | null
  execution: string
  outcome: ExecutionOutcome
  /** n8n’s own retry of another execution. */
  retry: boolean
}

/** Compares every request with the executions that carry its id. Of `gone` more, nobody knows whose they were. */
export function judgeFate(requests: Traced[], executions: Executed[], gone = 0): Fate {
  const executed = Map.groupBy(withRequests(executions, requests), ({ request }) => request)
  const of = ({ id }: Traced) => executed.get(id) ?? []
  const named = (which: Traced[]): Named[] =>
    which.map((request) => ({ request: request.id, executions: of(request).map(({ execution }) => execution) }))
  const accepted = requests.filter(({ outcome }) => outcome === 'accepted')
  const first = (request: Traced) => of(request).filter(({ retry }) => !retry)
  const endsIn = (request: Traced, ...ends: ExecutionOutcome[]) =>
    of(request).some(({ outcome }) => ends.includes(outcome))
  // Those of which nothing is left may have been executed, as far as n8n has deleted so many.
  const missing = accepted.filter((request) => of(request).length === 0)
  // Those that n8n only told that it is starting were certainly not executed.
  const candidates = missing.toSorted((a, b) => Number(a.starting ?? false) - Number(b.starting ?? false))
  const lost = candidates.slice(gone)
  const starting = lost.filter((request) => request.starting).length
  const unknown = [
    ...accepted.filter((request) => endsIn(request, 'unknown') && !endsIn(request, 'finished', 'failed', 'crashed')),
    ...candidates.slice(0, gone),
  ]
  return {
    sent: requests.length,
    accepted: accepted.length,
    refused: requests.filter(({ outcome }) => outcome === 'refused').length,
    unanswered: requests.filter(({ outcome }) => outcome === 'unanswered').length,
    once: accepted.filter((request) => first(request).length === 1 && endsIn(request, 'finished')).length,
    twice: named(requests.filter((request) => first(request).length > 1)),
    lost: named(lost),
    ...(starting && { starting }),
    failed: named(accepted.filter((request) => !endsIn(request, 'finished') && endsIn(request, 'failed', 'crashed'))),
    stuck: named(
      requests.filter((request) => of(request).length > 0 && of(request).every(({ outcome }) => outcome === 'open')),
    ),
    ...(unknown.length && { unknown: named(unknown) }),
    unasked: named(requests.filter((request) => request.outcome !== 'accepted' && of(request).length > 0)),
  }
}

/**
 * n8n replaces the data of an execution that it gives up, and its request's id with it. It is that of a request without
 * an execution that began between those of the executions before and after it, or nearest to them. One that n8n
 * accepted goes first: as long as an execution may be its own, it cannot be called lost.
 */
function withRequests(executions: Executed[], requests: Traced[]): (Executed & { request: string })[] {
  const beginnings = new Map(requests.map(({ id, began }) => [id, began]))
  const sorted = executions.toSorted((a, b) => Number(a.execution) - Number(b.execution))
  const known = sorted.filter((each): each is Executed & { request: string } => each.request !== null)
  const seen = new Set(known.map(({ request }) => request))
  // Without a connection n8n never saw the request.
  const left = requests.filter(({ id, outcome, status }) => !seen.has(id) && (outcome !== 'refused' || status > 0))
  const found: (Executed & { request: string })[] = []
  let next = 0
  for (const each of sorted) {
    if (each.request !== null) next++
    if (each.request !== null || left.length === 0) continue
    // After a restart of n8n, many seconds may lie between the two.
    const beside = [known[next - 1], known[next]].flatMap((one) => (one && beginnings.get(one.request)) ?? [])
    const away = ({ began }: Traced) =>
      beside.length ? Math.max(0, Math.min(...beside) - began, began - Math.max(...beside)) : 0
    const accepted = left.filter((one) => one.outcome === 'accepted' && away(one) < farthest)
    const nearest = (accepted.length ? accepted : left).reduce((best, one) => (away(one) < away(best) ? one : best))
    left.splice(left.indexOf(nearest), 1)
    found.push({ ...each, request: nearest.id })
  }
  return [...known, ...found]
}

/** Milliseconds: a busy n8n begins its executions in another order than they were asked for. */
const farthest = 5000

/** A function takes no more than about a hundred thousand arguments, and a load may have more requests. */
const most = (values: number[], least = -Infinity) => values.reduce((a, b) => Math.max(a, b), least)

/** When the first and the last of the requests began. */
export const firstOf = (requests: Traced[]) => -most(requests.map(({ began }) => -began))
export const lastOf = (requests: Traced[]) => most(requests.map(({ began }) => began))

/** Seconds that are judged together: at a few requests a second, a single second says nothing. */
const window = 5
/** Seconds for which service must stay back. */
const stays = 15
/** Answers within this factor of the earlier time count as fast as before. */
const asFast = { times: 2, plus: 250 }
/** Accepting at least this share of the earlier rate counts as many as before. */
const asMany = 0.95

/** `from` and `to`: the fault's beginning and its end. */
export function serviceOf(requests: Traced[], from: number, to: number): ServiceReturn {
  const accepted = requests
    .filter(({ outcome }) => outcome === 'accepted')
    .sort((a, b) => a.began + a.taken - b.began - b.taken)
  const between = (begin: number, end: number) => requests.filter(({ began }) => began >= begin && began < end)
  const quantileOf = (some: Traced[], share: number) =>
    some.length
      ? quantile(
          some.map(({ taken }) => taken),
          share,
        )
      : null
  const p95 = (some: Traced[]) => quantileOf(some, 0.95)
  const ends = [firstOf(requests), ...accepted.map(({ began, taken }) => began + taken)]
  const last = lastOf(requests)
  const before = p95(between(0, from)) ?? 0
  const well = (some: Traced[]) =>
    some.length > 0
    && some.filter(({ outcome }) => outcome === 'accepted').length >= asMany * some.length
    && p95(some)! <= Math.max(asFast.times * before, before + asFast.plus)
  const seconds = Math.max(0, Math.floor((last - to) / 1000) - window + 1)
  const windows = Array.from({ length: seconds }, (_, second) =>
    well(between(to + second * 1000, to + (second + window) * 1000)),
  )
  const during = between(from, Math.max(to, from + 1000 * window))
  // Service must stay good for a while; a single good second may be chance.
  const back = windows.findIndex((_, second) => windows.slice(second, second + stays).every(Boolean))
  return {
    gap:
      most(
        ends.slice(1).map((end, index) => end - ends[index]!),
        0,
      ) / 1000,
    back: back === -1 ? null : back,
    p99: quantileOf(during, 0.99),
    p95: {
      before,
      during: p95(during),
      after: back === -1 ? null : p95(between(to + back * 1000, Infinity)),
    },
    slowest: most(requests.map(({ taken }) => taken)) / 1000,
  }
}

/** Service must be back within this many seconds after a fault's end. */
export const patience = 60
/**
 * Seconds after which a request without an answer, or an execution without an end, counts as such. Bull gives up the
 * job of a dead worker within two minutes, and only then does its caller get an answer.
 */
export const outcomePatience = 150

/** What should have held and broke under a fault, in words; empty where everything held. */
export function brokenBy({ lost, starting, twice, stuck, unanswered }: Fate, { back }: ServiceReturn): string[] {
  return [
    ...(lost.length ? [`${lost.length} accepted ${plural(lost.length, 'request')} lost${because(starting)}`] : []),
    ...(twice.length ? [`${twice.length} ${plural(twice.length, 'request')} executed twice`] : []),
    ...(stuck.length ? [`${stuck.length} ${plural(stuck.length, 'execution')} stuck`] : []),
    ...(unanswered ? [`${unanswered} ${plural(unanswered, 'request')} unanswered`] : []),
    ...(back === null || back > patience ? [`service not back within ${patience} s`] : []),
  ]
}

const because = (starting = 0) => (starting ? ` (${starting} answered with 200 while n8n was starting)` : '')

const plural = (count: number, noun: string) => (count === 1 ? noun : `${noun}s`)
