/**
 * In k6's place: says at once what k6 would say after the step against an n8n that sustains CAPACITY requests a second,
 * and has the small n8n count the executions. The lab tells it what to do as it tells k6, in the environment.
 */
import { writeFileSync } from 'node:fs'

const { URL: url, FROM, DURATION, SUMMARY, CAPACITY } = process.env
const capacity = Number(CAPACITY)
const asked = FROM === undefined ? capacity : Number(FROM)
const accepted = Math.round(Math.min(asked, capacity) * Number(DURATION))
const p95 = asked > capacity ? 900 : 50

await fetch(new URL(`/executed?count=${accepted}`, url))
const metric = (count) => ({ values: { count } })
writeFileSync(
  SUMMARY,
  JSON.stringify({
    state: { testRunDurationMs: Number(DURATION) * 1000 },
    metrics: {
      accepted: metric(accepted),
      answer: { values: { avg: p95, med: p95, 'p(90)': p95, 'p(95)': p95, 'p(99)': p95, max: p95, count: accepted } },
    },
  }),
)
