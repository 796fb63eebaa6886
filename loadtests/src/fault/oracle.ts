import { quantile } from 'simple-statistics'

/** One request as the generator saw it. Epoch milliseconds. */
export interface Traced {
  id: string
  began: number
  /** Until its answer, or until it was given up. */
  taken: number
  outcome: 'accepted' | 'refused' | 'unanswered'
  /** The answer's status; 0 without one. */
  status: number
}

/** One execution of the time, as n8n's database has it in the end. */
export interface Executed {
  /** The id that it carries; null where n8n has replaced its data before anybody saw it. */
  request: string | null
  execution: string
  status: string
  /** n8n’s own retry of another execution. */
  retry: boolean
}

/** What became of every request of a load with a fault in it. Lists hold requests' ids, with their executions'. */
export interface Fate {
  sent: number
  accepted: number
  refused: number
  unanswered: number
  once: number
  /** More than one execution of a request, of which none is n8n’s own retry. */
  twice: Named[]
  /** Accepted, and no execution knows of it. */
  lost: Named[]
  /** Executed, and ended in an error or with its process. n8n names them. */
  failed: Named[]
  /** Neither done nor given up, long after the fault. */
  stuck: Named[]
  /** Not accepted, and executed nevertheless: a caller who tries again makes it twice. */
  unasked: Named[]
}

export interface Named {
  request: string
  executions: string[]
}

const done = new Set(['success'])
const given = new Set(['error', 'failed', 'crashed', 'canceled'])

/** Holds every request against the executions that carry its id. */
export function judgeFate(requests: Traced[], executions: Executed[]): Fate {
  const executed = Map.groupBy(withRequests(executions, requests), ({ request }) => request)
  const of = ({ id }: Traced) => executed.get(id) ?? []
  const named = (which: Traced[]): Named[] =>
    which.map((request) => ({ request: request.id, executions: of(request).map(({ execution }) => execution) }))
  const accepted = requests.filter(({ outcome }) => outcome === 'accepted')
  const first = (request: Traced) => of(request).filter(({ retry }) => !retry)
  const endsIn = (request: Traced, statuses: Set<string>) => of(request).some(({ status }) => statuses.has(status))
  return {
    sent: requests.length,
    accepted: accepted.length,
    refused: requests.filter(({ outcome }) => outcome === 'refused').length,
    unanswered: requests.filter(({ outcome }) => outcome === 'unanswered').length,
    once: accepted.filter((request) => first(request).length === 1 && endsIn(request, done)).length,
    twice: named(requests.filter((request) => first(request).length > 1)),
    lost: named(accepted.filter((request) => of(request).length === 0)),
    failed: named(accepted.filter((request) => !endsIn(request, done) && endsIn(request, given))),
    stuck: named(
      requests.filter((request) => of(request).length > 0 && !endsIn(request, done) && !endsIn(request, given)),
    ),
    unasked: named(requests.filter((request) => request.outcome !== 'accepted' && of(request).length > 0)),
  }
}

/** Executions without an id are those of requests without an execution, the first of the first. */
function withRequests(executions: Executed[], requests: Traced[]): (Executed & { request: string })[] {
  const seen = new Set(executions.map(({ request }) => request))
  const left = requests
    .filter(({ id, outcome }) => outcome === 'accepted' && !seen.has(id))
    .sort((a, b) => a.began - b.began)
    .map(({ id }) => id)
  return executions.flatMap(({ request, ...execution }) => {
    const id = request ?? left.shift()
    return id === undefined ? [] : [{ ...execution, request: id }]
  })
}

/** How service came back, in seconds. */
export interface Service {
  /** The longest time in which no request was accepted. */
  gap: number
  /**
   * From the fault's end until requests are accepted as before and as fast; null: not within the time that was looked
   * at.
   */
  back: number | null
  p95: { before: number; during: number | null; after: number | null }
  slowest: number
}

/** Seconds that are looked at together: at a few requests a second, fewer say nothing. */
const window = 5
/** Seconds for which it stays as it was. */
const stays = 15
/** As fast as before is within this of it. */
const asFast = { times: 2, plus: 250 }
/** As many as before. */
const asMany = 0.95

/** `from` and `to`: the fault's beginning and its end. */
export function serviceOf(requests: Traced[], from: number, to: number): Service {
  const accepted = requests
    .filter(({ outcome }) => outcome === 'accepted')
    .sort((a, b) => a.began + a.taken - b.began - b.taken)
  const between = (begin: number, end: number) => requests.filter(({ began }) => began >= begin && began < end)
  const p95 = (some: Traced[]) =>
    some.length
      ? quantile(
          some.map(({ taken }) => taken),
          0.95,
        )
      : null
  const ends = [Math.min(...requests.map(({ began }) => began)), ...accepted.map(({ began, taken }) => began + taken)]
  const last = Math.max(...requests.map(({ began }) => began))
  const before = p95(between(0, from)) ?? 0
  const well = (some: Traced[]) =>
    some.length > 0
    && some.filter(({ outcome }) => outcome === 'accepted').length >= asMany * some.length
    && p95(some)! <= Math.max(asFast.times * before, before + asFast.plus)
  const seconds = Math.max(0, Math.floor((last - to) / 1000) - window + 1)
  const windows = Array.from({ length: seconds }, (_, second) =>
    well(between(to + second * 1000, to + (second + window) * 1000)),
  )
  // Well for a while from there, not once by chance.
  const back = windows.findIndex((_, second) => windows.slice(second, second + stays).every(Boolean))
  return {
    gap: Math.max(...ends.slice(1).map((end, index) => end - ends[index]!), 0) / 1000,
    back: back === -1 ? null : back,
    p95: {
      before,
      during: p95(between(from, Math.max(to, from + 1000 * window))),
      after: back === -1 ? null : p95(between(to + back * 1000, Infinity)),
    },
    slowest: Math.max(...requests.map(({ taken }) => taken)) / 1000,
  }
}
