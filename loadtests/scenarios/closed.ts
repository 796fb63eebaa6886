/** A fixed number of clients, each sending its next request when the last was answered. */
import exec from 'k6/execution'
import type { Options } from 'k6/options'
import { waits } from './guard.ts'
import { call, countLate, part, parts, setup, stopping, summary, tags, trend } from './webhook.ts'

/** Of several generators each has its share of the clients, some perhaps none. */
const all = Number(__ENV.VUS)
const own = Math.floor(all / parts) + (part < all % parts ? 1 : 0)

export const options: Options = {
  summaryTrendStats: trend,
  tags,
  thresholds: stopping,
  scenarios: {
    closed:
      own > 0
        ? {
            executor: 'constant-vus',
            vus: own,
            duration: `${__ENV.DURATION}s`,
            gracefulStop: `${__ENV.TIMEOUT ?? 30}s`,
          }
        : { executor: 'per-vu-iterations', vus: 1, iterations: 1, exec: 'nothing' },
  },
}

export default async function () {
  const answered = waits(Date.now(), countLate)
  await call({ number: part + parts * exec.scenario.iterationInTest })
  answered()
}
export function nothing(): void {}

export { setup }
export const handleSummary = summary
