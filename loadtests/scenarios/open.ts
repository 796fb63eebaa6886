/**
 * Requests that are due at moments of their own, whether or not earlier ones were answered, as real callers send them.
 * The rate stays, or it changes: ramps, spikes, callers who come all at once. Each request is judged from the moment
 * when it was due, whether it could be sent then or not.
 */
import { sleep } from 'k6'
import { SharedArray } from 'k6/data'
import exec from 'k6/execution'
import { Trend } from 'k6/metrics'
import type { Options } from 'k6/options'
import { dueTimes, type Schedule } from './schedule.ts'
import { call, send, setup, stopping, summary, tags, trend, type Due } from './webhook.ts'

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

const due = new SharedArray('due', () => dueTimes(schedule))

/**
 * How much later than due the generator itself sent a request, although it had a client that only waited for the
 * moment. It is the evidence that the generator, and not n8n, was behind.
 */
const lag = new Trend('lag', true)

export const options: Options = {
  summaryTrendStats: trend,
  tags,
  // When a kept connection breaks, k6's HTTP client sends a GET again by itself: n8n would execute one request twice.
  noConnectionReuse: trace !== undefined,
  // With more late answers than the whole step may have, the result is known, and the step ends.
  thresholds: {
    ...stopping,
    ...(__ENV.LATE_MOST && { late: [{ threshold: `count<=${__ENV.LATE_MOST}`, abortOnFail: true }] }),
  },
  scenarios: {
    open: {
      // Each client takes the next request that is due, and waits for its moment.
      executor: 'shared-iterations',
      vus: Math.min(due.length, Number(__ENV.CLIENTS)),
      iterations: due.length,
      // A request that is due at the end may wait for a client as long as its caller would, and then for its answer.
      maxDuration: `${seconds + 2 * timeout + 5}s`,
      gracefulStop: `${timeout}s`,
    },
  },
}

export default function () {
  const request = waitFor(exec.scenario.startTime + due[exec.scenario.iterationInTest]! * 1000)
  if (trace === undefined) call(request)
  else report(trace)
}

/** Waits for the moment. A client that is free too late found n8n busy with the requests before. */
function waitFor(at: number): Due {
  const early = at - Date.now()
  if (early <= 0) return { at, waited: -early }
  sleep(early / 1000)
  lag.add(Date.now() - at)
  return { at, waited: 0 }
}

function report(trace: string): void {
  const id = `${trace}-${exec.scenario.iterationInTest}`
  const { began, response, wrong } = send({ 'x-n8n-tuned-request': id })
  // Without a connection n8n never saw the request: that is a refusal, however long the caller tried.
  const unanswered = wrong === 'timeout' && response.remote_ip !== ''
  const outcome = wrong === null ? 'accepted' : unanswered ? 'unanswered' : 'refused'
  console.log(JSON.stringify({ id, began, taken: Date.now() - began, outcome, status: response.status }))
}

export { setup }
export const handleSummary = summary
