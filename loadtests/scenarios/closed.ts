/** A fixed number of clients, each sending its next request when the last was answered. */
import type { Options } from 'k6/options'
import { call, summary, tags, trend } from './webhook.ts'

export const options: Options = {
  summaryTrendStats: trend,
  tags,
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
export const handleSummary = summary
