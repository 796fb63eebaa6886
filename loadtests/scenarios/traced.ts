/** A steady rate of requests, each with an id and reported one by one, so that the lab can look each of them up. */
import type { Options } from 'k6/options'
import exec from 'k6/execution'
import { send, summary, tags, trend } from './webhook.ts'

export const options: Options = {
  summaryTrendStats: trend,
  tags,
  // When a kept connection breaks, k6's HTTP client sends a GET again by itself: n8n would execute one request twice.
  noConnectionReuse: true,
  scenarios: {
    traced: {
      executor: 'constant-arrival-rate',
      rate: Math.round(Number(__ENV.RATE) * 60),
      timeUnit: '60s',
      duration: `${__ENV.DURATION}s`,
      // All of them from the start: k6 leaves out the request for which it has to make another client, so the rate
      // would halve just while requests wait.
      preAllocatedVUs: Number(__ENV.CLIENTS),
      gracefulStop: `${__ENV.TIMEOUT ?? 30}s`,
    },
  },
}

export default function () {
  const id = `${__ENV.TRACE}-${exec.scenario.iterationInTest}`
  const { began, response, wrong } = send({ 'x-n8n-tuned-request': id })
  // Without a connection n8n never saw the request: that is a refusal, however long the caller tried.
  const unanswered = wrong === 'timeout' && response.remote_ip !== ''
  const outcome = wrong === null ? 'accepted' : unanswered ? 'unanswered' : 'refused'
  console.log(JSON.stringify({ id, began, taken: Date.now() - began, outcome, status: response.status }))
}

export const handleSummary = summary
