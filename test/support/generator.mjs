/**
 * In k6's place: says at once what k6 would say after the step, and has the small n8n count the executions. That n8n
 * answers CAPACITY requests a second in time, and all of a higher rate late. The lab tells it what to do as it tells
 * k6, in the environment.
 */
import { writeFileSync } from 'node:fs'

const { URL: url, FROM, STAGES, WAITING = '0', DURATION, SUMMARY, CAPACITY } = process.env
const capacity = Number(CAPACITY)
const asked = FROM === undefined ? capacity : Number(FROM)
let before = asked
const due =
  STAGES
  && JSON.parse(STAGES).reduce((sum, { rate, seconds }) => {
    const all = sum + (seconds * (before + rate)) / 2
    before = rate
    return all
  }, 0)
const accepted = STAGES ? Number(WAITING) + Math.max(1, Math.round(due)) : Math.round(capacity * Number(DURATION))
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
