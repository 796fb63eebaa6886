/** Requests arrive on a schedule, whether or not earlier ones were answered: as callers do. */
import type { Options } from 'k6/options'
import { sleep } from 'k6'
import { call, summary, tags, trend } from './webhook.ts'

// k6 counts in whole iterations per time unit: a minute lets rates below one a second be kept.
export const options: Options = {
  summaryTrendStats: trend,
  tags,
  // Once more are late than may be in the whole step, the rest of it can tell nothing new.
  thresholds: __ENV.LATE_MOST ? { late: [{ threshold: `count<=${__ENV.LATE_MOST}`, abortOnFail: true }] } : {},
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

export const handleSummary = summary
