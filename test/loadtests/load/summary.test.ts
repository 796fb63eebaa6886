import { readSummary, type K6Summary } from '../../../loadtests/src/load/summary.ts'
import type { PlannedStep } from '../../../loadtests/src/model/step.ts'

const constant: PlannedStep = {
  url: 'http://127.0.0.1/',
  method: 'GET',
  timeout: 30,
  duration: 10,
  shape: { kind: 'constant', rate: 50 },
}
const closed: PlannedStep = { ...constant, shape: { kind: 'closed', vus: 8 } }

/** As k6 writes it, shortened. */
const summary: K6Summary = {
  state: { testRunDurationMs: 12_000 },
  metrics: {
    http_reqs: { values: { count: 500, rate: 41.6 } },
    accepted: { values: { count: 480, rate: 40 } },
    failure_status_5xx: { values: { count: 15, rate: 1.25 } },
    failure_timeout: { values: { count: 5, rate: 0.4 } },
    failure_refused: { values: { count: 0, rate: 0 } },
    failure_unsent: { values: { count: 3, rate: 0.25 } },
    lag: { values: { 'p(95)': 1, 'p(99)': 2, 'p(99.9)': 3, count: 450 } },
    answer: { values: { avg: 40, med: 35, 'p(90)': 60, 'p(95)': 80, 'p(99)': 120, max: 300, count: 480 } },
    http_req_failed: { values: { rate: 0.04, passes: 20, fails: 480 } },
  },
}
const measured = { endedAt: 1_000_000, generatorCpu: 0.25 }
const without = (...names: string[]): K6Summary => ({
  ...summary,
  metrics: Object.fromEntries(Object.entries(summary.metrics).filter(([name]) => !names.includes(name))),
})

test('requests are those that were due, accepted those with success, dropped those never sent', () => {
  expect(readSummary(summary, constant, measured)).toMatchObject({
    requests: 503,
    accepted: 480,
    dropped: 3,
    arrivals: 'random',
    lag: { p95: 1, p99: 2, 'p99.9': 3 },
    generatorCpu: 0.25,
  })
})

test('failures are counted by what came back, and only those that did', () => {
  expect(readSummary(summary, constant, measured).failures).toEqual({ status_5xx: 15, timeout: 5, unsent: 3 })
})

test('latency is how long callers waited', () => {
  expect(readSummary(summary, constant, measured).latency).toEqual({
    mean: 40,
    p50: 35,
    p90: 60,
    p95: 80,
    p99: 120,
    max: 300,
  })
})

test('of a mix every workflow has its own figures, without a request too', () => {
  const part = (workflow: string) => ({ workflow, id: workflow, url: 'http://127.0.0.1/', method: 'GET', weight: 1 })
  const mixed = {
    ...summary,
    metrics: {
      ...summary.metrics,
      accepted_0: { values: { count: 400 } },
      failed_0: { values: { count: 20 } },
      answer_0: summary.metrics.answer,
      accepted_1: { values: { count: 80 } },
    },
  }
  expect(readSummary(mixed, { ...constant, mix: [part('first'), part('second')] }, measured).parts).toEqual([
    {
      workflow: 'first',
      accepted: 400,
      failed: 20,
      latency: { mean: 40, p50: 35, p90: 60, p95: 80, p99: 120, max: 300 },
    },
    { workflow: 'second', accepted: 80, failed: 0, latency: null },
  ])
  expect(readSummary(summary, constant, measured)).not.toHaveProperty('parts')
})

test('there is no latency without an accepted request', () => {
  expect(readSummary(without('answer'), constant, measured).latency).toBeNull()
  const none = { ...summary, metrics: { ...summary.metrics, answer: { values: { avg: 0, count: 0 } } } }
  expect(readSummary(none, constant, measured).latency).toBeNull()
})

test('a counter that k6 leaves out is zero', () => {
  expect(readSummary(without('failure_unsent', 'accepted'), constant, measured)).toMatchObject({
    dropped: 0,
    accepted: 0,
  })
})

test('a constant step is told by its rate, and its throughput is over the schedule, not over the last answers', () => {
  expect(readSummary(summary, constant, measured)).toMatchObject({
    shape: 'constant',
    rate: 50,
    vus: null,
    throughput: 48,
  })
})

test('a closed step is told by its clients, and its throughput is over all of its time', () => {
  expect(readSummary(summary, closed, measured)).toMatchObject({ shape: 'closed', rate: null, vus: 8, throughput: 40 })
})

test('the schedule began when k6 did and ends after its duration, though answers may come later', () => {
  expect(readSummary(summary, constant, measured)).toMatchObject({ startedAt: 988_000, endedAt: 998_000 })
})

test('a step that ended early ended then, and its throughput is over that time', () => {
  const early = { ...without('failure_unsent', 'failure_timeout'), state: { testRunDurationMs: 4000 } }
  expect(readSummary(early, constant, measured)).toMatchObject({
    startedAt: 996_000,
    endedAt: 1_000_000,
    throughput: 120,
  })
})
