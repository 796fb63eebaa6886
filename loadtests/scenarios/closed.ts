/** A fixed number of clients, each sending its next request when the last was answered. */
import type { Options } from 'k6/options'
import { call, setup, stopping, summary, tags, trend } from './webhook.ts'

export const options: Options = {
  summaryTrendStats: trend,
  tags,
  thresholds: stopping,
  scenarios: {
    closed: {
      executor: 'constant-vus',
      vus: Number(__ENV.VUS),
      duration: `${__ENV.DURATION}s`,
      gracefulStop: `${__ENV.TIMEOUT ?? 30}s`,
    },
  },
}

export default call
export { setup }
export const handleSummary = summary
