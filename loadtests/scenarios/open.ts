/**
 * Requests that are due at moments of their own, whether or not earlier ones were answered, as real callers send them.
 * The rate stays, or it changes: ramps, spikes, callers who come all at once. Each request is judged from the moment
 * when it was due, whether it could be sent then or not.
 *
 * A k6 client holds half a MiB, and a request under way a few dozen KiB. So a few clients send all requests, and none
 * of them waits for an answer before it sends the next.
 */
import exec from 'k6/execution'
import { Trend } from 'k6/metrics'
import type { Options } from 'k6/options'
import { requestsDue, sendersFor, type Schedule } from './schedule.ts'
import { waits } from './guard.ts'
import { roomFor } from './room.ts'
import { call, countLate, part, parts, send, setup, stopping, summary, tags, trend, type Due } from './webhook.ts'

const seconds = Number(__ENV.DURATION)
const timeout = Number(__ENV.TIMEOUT ?? 30)
const rate = Number(__ENV.RATE)
const schedule: Schedule = {
  from: Number(__ENV.FROM ?? rate),
  stages: __ENV.STAGES ? JSON.parse(__ENV.STAGES) : [{ rate, seconds }],
  waiting: Number(__ENV.WAITING ?? 0),
  arrivals: __ENV.ARRIVALS === 'even' ? 'even' : 'random',
  seed: Number(__ENV.SEED ?? Date.now()),
}
/** With this, each request carries an id and is reported by itself, so that the lab can look each of them up. */
const trace = __ENV.TRACE

/**
 * Requests a second up to which each one opens a connection of its own. n8n closes one that was idle for five seconds,
 * and a caller who uses it again in that moment gets no answer. Among few requests, one such error would decide.
 */
const seldom = 10
const peak = Math.max(schedule.from, ...schedule.stages.map(({ rate }) => rate))

/** How many requests may be under way at once: in all generators, and of each sender. */
const underWay = Number(__ENV.CLIENTS)
const senders = sendersFor(schedule, underWay, parts)
const most = Math.ceil(underWay / parts / senders)
/** Where n8n is somebody else's: the usual time of its answers, and how many it works on at a time. */
const usual = __ENV.USUAL ? Number(__ENV.USUAL) : null
const least = Math.max(1, Math.ceil(Number(__ENV.LEAST ?? 1) / parts / senders))

/**
 * How much later than due the generator itself sent a request, although it was free to and little was under way. It is
 * the evidence that the generator, and not n8n, was behind.
 */
const lag = new Trend('lag', true)

export const options: Options = {
  summaryTrendStats: trend,
  tags,
  // How many idle connections a sender keeps.
  batch: most,
  batchPerHost: most,
  // When a kept connection breaks, k6's HTTP client sends a GET again by itself: n8n would execute one request twice.
  noConnectionReuse: trace !== undefined || peak <= seldom,
  // With more late answers than the whole step may have, the result is known, and the step ends.
  thresholds: {
    ...stopping,
    ...(__ENV.LATE_MOST && { late: [{ threshold: `count<=${__ENV.LATE_MOST}`, abortOnFail: true }] }),
  },
  scenarios: {
    open: {
      executor: 'per-vu-iterations',
      vus: senders,
      iterations: 1,
      // A request that is due at the end may wait as long as its caller would, and then for its answer.
      maxDuration: `${seconds + 2 * timeout + 5}s`,
      gracefulStop: `${timeout}s`,
    },
  },
}

/** One sender: k6 ends it when nothing is planned or under way any more. */
export default function () {
  const own = requestsDue(schedule, { index: part + parts * (exec.vu.idInTest - 1), of: parts * senders })
  const waiting: (() => void)[] = []
  const room = roomFor({ usual, least, most })
  let busy = 0
  let next = own.next()

  function sendAllDue(): void {
    for (; !next.done; next = own.next()) {
      const due: Due = { number: next.value.number, at: exec.scenario.startTime + next.value.second * 1000, waited: 0 }
      const early = due.at - Date.now()
      if (early > 0) return void setTimeout(sendAllDue, early)
      // Where the generator itself sends late, n8n is not to blame.
      const answered = waits(Math.max(due.at, Date.now()), countLate)
      if (busy < room.size()) {
        // Where many wait for n8n, what k6 does late may be n8n's doing.
        if (busy < room.size() / 2) lag.add(-early)
        void follow(due, answered)
      } else waiting.push(() => void follow({ ...due, waited: Date.now() - due.at! }, answered))
    }
  }

  async function follow(due: Due, answered: () => void): Promise<void> {
    busy++
    const sent = Date.now()
    await (trace === undefined ? call(due) : report(due, trace))
    busy--
    answered()
    room.answered(Date.now() - sent, waiting.length > 0)
    // As many as may be were under way, so it is n8n that these requests waited for.
    while (busy < room.size() && waiting.length > 0) waiting.shift()!()
  }

  sendAllDue()
}

async function report({ number }: Due, trace: string): Promise<void> {
  const id = `${trace}-${number}`
  const { began, response, wrong } = await send(number, { headers: { 'x-n8n-tuned-request': id }, keepText: true })
  // Without a connection n8n never saw the request: that is a refusal, however long the caller tried.
  const unanswered = wrong === 'timeout' && response.remote_ip !== ''
  const outcome = wrong === null ? 'accepted' : unanswered ? 'unanswered' : 'refused'
  // n8n says so to everyone until its database is migrated, with status 200, and forgets the request.
  const starting = outcome === 'accepted' && String(response.body).startsWith('n8n is starting up')
  const told = { id, began, taken: Date.now() - began, outcome, status: response.status }
  console.log(JSON.stringify(starting ? { ...told, starting } : told))
}

export { setup }
export const handleSummary = summary
