import { points, readSummaries, statOf, type K6Summary } from '../../../loadtests/src/load/summary.ts'
import { aboveOf, countOf } from '../../../loadtests/src/model/distribution.ts'
import { random } from '../../support/random.ts'
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
  expect(readSummaries([summary], constant, measured)).toMatchObject({
    requests: 503,
    accepted: 480,
    dropped: 3,
    arrivals: 'random',
    lag: { p95: 1, p99: 2, 'p99.9': 3 },
    generatorCpu: 0.25,
  })
})

test('failures are counted by what came back, and only those that did', () => {
  expect(readSummaries([summary], constant, measured).failures).toEqual({ status_5xx: 15, timeout: 5, unsent: 3 })
})

test('latency is how long callers waited', () => {
  expect(readSummaries([summary], constant, measured).latency).toEqual({
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
  expect(readSummaries([mixed], { ...constant, mix: [part('first'), part('second')] }, measured).parts).toEqual([
    {
      workflow: 'first',
      accepted: 400,
      failed: 20,
      latency: { mean: 40, p50: 35, p90: 60, p95: 80, p99: 120, max: 300 },
    },
    { workflow: 'second', accepted: 80, failed: 0, latency: null },
  ])
  expect(readSummaries([summary], constant, measured)).not.toHaveProperty('parts')
})

test('there is no latency without an accepted request', () => {
  expect(readSummaries([without('answer')], constant, measured).latency).toBeNull()
  const none = { ...summary, metrics: { ...summary.metrics, answer: { values: { avg: 0, count: 0 } } } }
  expect(readSummaries([none], constant, measured).latency).toBeNull()
})

test('a counter that k6 leaves out is zero', () => {
  expect(readSummaries([without('failure_unsent', 'accepted')], constant, measured)).toMatchObject({
    dropped: 0,
    accepted: 0,
  })
})

test('a constant step is told by its rate, and its throughput is over the schedule, not over the last answers', () => {
  expect(readSummaries([summary], constant, measured)).toMatchObject({
    shape: 'constant',
    rate: 50,
    vus: null,
    throughput: 48,
  })
})

test('a closed step is told by its clients, and its throughput is over all of its time', () => {
  expect(readSummaries([summary], closed, measured)).toMatchObject({
    shape: 'closed',
    rate: null,
    vus: 8,
    throughput: 40,
  })
})

test('the schedule began when k6 did and ends after its duration, though answers may come later', () => {
  expect(readSummaries([summary], constant, measured)).toMatchObject({ startedAt: 988_000, endedAt: 998_000 })
})

test('a step that ended early ended then, and its throughput is over that time', () => {
  const early = { ...without('failure_unsent', 'failure_timeout'), state: { testRunDurationMs: 4000 } }
  expect(readSummaries([early], constant, measured)).toMatchObject({
    startedAt: 996_000,
    endedAt: 1_000_000,
    throughput: 120,
  })
})

describe('of a load that several k6 shared', () => {
  const merged = (...parts: K6Summary[]) => readSummaries(parts, constant, measured)
  const repeat = (times: number, value: number) => Array<number>(times).fill(value)

  test('what was counted is the sum, also of what only one part saw', () => {
    expect(
      merged(partOf(repeat(3, 1), { failure_unsent: 2 }), partOf(repeat(4, 1), { failure_timeout: 1 })),
    ).toMatchObject({ accepted: 7, dropped: 2, failures: { unsent: 2, timeout: 1 }, requests: 10 })
  })

  test('the whole took as long as its longest part', () => {
    expect(merged(partOf([1], { duration: 10_000 }), partOf([1], { duration: 12_000 })).startedAt).toBe(
      measured.endedAt - 12_000,
    )
  })

  test('percentiles are those of all answers together, where an average of theirs would be far off', () => {
    // A tenth of the answers, all of them slow, in a part of their own: the median is fast, p95 slow.
    const { latency } = merged(partOf(repeat(900, 10)), partOf(repeat(100, 1000)))
    expect(latency).toMatchObject({ mean: 109, p50: 10, p95: 1000, p99: 1000, max: 1000 })
  })

  test('they are as exact as a thousandth of the answers, for parts of any size and shape', () => {
    const next = random(5)
    const parts = [4000, 700, 90].map((count, index) =>
      Array.from({ length: count }, () => -Math.log(1 - next()) * 50 * (index + 1)),
    )
    const all = parts.flat().sort((a, b) => a - b)
    const { latency, distribution } = merged(...parts.map((answers) => partOf(answers)))
    for (const [name, share] of [
      ['p50', 0.5],
      ['p90', 0.9],
      ['p95', 0.95],
      ['p99', 0.99],
      ['p99.9', 0.999],
    ] as const) {
      expect(latency![name]).toBeGreaterThanOrEqual(percentile(all, share - 0.001))
      expect(latency![name]).toBeLessThanOrEqual(percentile(all, share + 0.001))
    }
    expect(latency!.max).toBe(all.at(-1))
    expect(countOf(distribution!)).toBe(all.length)
  })

  test('a part without an answer weighs nothing, and there may be none at all', () => {
    expect(merged(partOf([]), partOf(repeat(5, 20))).latency).toMatchObject({ mean: 20, p95: 20 })
    expect(merged(partOf([]), partOf([])).latency).toBeNull()
  })

  test('of a mix each workflow has its own percentiles', () => {
    const both = (first: number[], second: number[]): K6Summary => {
      const { state, metrics } = partOf([...first, ...second])
      return {
        state,
        metrics: { ...metrics, answer_0: partOf(first).metrics.answer, answer_1: partOf(second).metrics.answer },
      }
    }
    const mix = ['first', 'second'].map((workflow) => ({ workflow, id: workflow, url: '', method: 'GET', weight: 1 }))
    const all = [both(repeat(30, 10), repeat(5, 500)), both(repeat(10, 20), [])]
    expect(readSummaries(all, { ...constant, mix }, measured).parts).toMatchObject([
      { latency: { p50: 10, max: 20 } },
      { latency: { p50: 500 } },
    ])
  })
})

test.each([
  [0.0004, 20_000],
  [0.002, 20_000],
  [0.02, 5000],
  [0.075, 1200],
])('late answers that are %d of all are counted to a tenth of them, of %d answers', (share, count) => {
  const next = random(count)
  const slow = Math.round(share * count)
  const answers = Array.from({ length: count }, (_, index) => (index < slow ? 2000 : 100) * (0.5 + next()))
  const { distribution } = readSummaries([partOf(answers)], constant, measured)
  const { late } = aboveOf(distribution!, 500)
  expect(Math.abs(late - slow)).toBeLessThanOrEqual(Math.max(1, 0.02 * slow))
})

/** As k6 computes percentiles: between the two nearest answers, in proportion. */
function percentile(sorted: number[], share: number): number {
  const position = share * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(position)]!, sorted[Math.ceil(position)]!]
  return low + (high - low) * (position % 1)
}

function partOf(answers: number[], { duration = 10_000, ...counters }: Record<string, number> = {}): K6Summary {
  const sorted = [...answers].sort((a, b) => a - b)
  const stats = Object.fromEntries(
    ['p(90)', 'p(95)', 'p(99)', 'p(99.9)', ...points.map(({ percentile }) => statOf(percentile))].map((stat) => [
      stat,
      percentile(sorted, Number(stat.slice(2, -1)) / 100),
    ]),
  )
  const answer = answers.length
    ? {
        count: answers.length,
        avg: answers.reduce((sum, one) => sum + one) / answers.length,
        med: percentile(sorted, 0.5),
        max: sorted.at(-1)!,
        ...stats,
      }
    : { count: 0, avg: 0 }
  const counts = { accepted: answers.length, http_reqs: answers.length, ...counters }
  return {
    state: { testRunDurationMs: duration },
    metrics: {
      answer: { values: answer },
      ...Object.fromEntries(
        Object.entries(counts).map(([name, count]) => [name, { values: { count, rate: count / 10 } }]),
      ),
    },
  }
}
