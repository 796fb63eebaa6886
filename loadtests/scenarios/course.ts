/**
 * Rates that change on a schedule: ramps, spikes, and callers who waited for the end of an outage and come all at once.
 */
import type { Options } from 'k6/options'
import { call, setup, stopping, summary, tags, trend } from './webhook.ts'

/** The rate to reach, and in how many seconds; 0 is at once. */
const stages: { rate: number; seconds: number }[] = JSON.parse(__ENV.STAGES!)
const waiting = Number(__ENV.WAITING)
const gracefulStop = `${__ENV.TIMEOUT ?? 30}s`
const perMinute = (rate: number) => Math.round(rate * 60)

export const options: Options = {
  summaryTrendStats: trend,
  tags,
  thresholds: stopping,
  scenarios: {
    course: {
      executor: 'ramping-arrival-rate',
      startRate: perMinute(Number(__ENV.FROM)),
      timeUnit: '60s',
      stages: stages.map(({ rate, seconds }) => ({ target: perMinute(rate), duration: `${seconds}s` })),
      preAllocatedVUs: Number(__ENV.CLIENTS),
      maxVUs: Number(__ENV.CLIENTS),
      gracefulStop,
    },
    ...(waiting > 0 && {
      herd: {
        executor: 'per-vu-iterations',
        vus: waiting,
        iterations: 1,
        maxDuration: `${__ENV.DURATION}s`,
        gracefulStop,
      },
    }),
  },
}

export default call
export { setup }
export const handleSummary = summary
