/** Requests arrive on a schedule, whether or not earlier ones were answered, as from real callers. */
import type { Options } from 'k6/options'
import { sleep } from 'k6'
import { call, setup, stopping, summary, tags, trend } from './webhook.ts'

// k6 counts whole iterations for each time unit: a minute allows rates below one a second.
export const options: Options = {
  summaryTrendStats: trend,
  tags,
  // With more late answers than the whole step may have, the result is known, and the step ends.
  thresholds: {
    ...stopping,
    ...(__ENV.LATE_MOST && { late: [{ threshold: `count<=${__ENV.LATE_MOST}`, abortOnFail: true }] }),
  },
  scenarios: {
    constant: {
      executor: 'constant-arrival-rate',
      rate: Math.round(Number(__ENV.RATE) * 60),
      timeUnit: '60s',
      duration: `${__ENV.DURATION}s`,
      preAllocatedVUs: Number(__ENV.CLIENTS),
      maxVUs: Number(__ENV.CLIENTS),
      gracefulStop: `${__ENV.TIMEOUT ?? 30}s`,
    },
  },
}

const scatter = Number(__ENV.SCATTER ?? 0)

export default function () {
  if (scatter > 0) sleep(scatter * Math.random())
  call()
}

export { setup }
export const handleSummary = summary
