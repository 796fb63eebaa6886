import type { Generated, Generator, GeneratorOrder } from '../../../loadtests/src/load/generator.ts'
import { mergeParts, partArgs, runOn } from '../../../loadtests/src/load/parts.ts'
import { points, statOf } from '../../../loadtests/src/load/points.ts'
import type { K6Summary } from '../../../loadtests/src/load/summary.ts'
import { random } from '../../support/random.ts'

/** As k6 computes percentiles: between the two nearest answers, in proportion. */
function percentile(sorted: number[], share: number): number {
  const position = share * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(position)]!, sorted[Math.ceil(position)]!]
  return low + (high - low) * (position % 1)
}

function part(answers: number[], { duration = 10_000, ...counters }: Record<string, number> = {}): K6Summary {
  const sorted = [...answers].sort((a, b) => a - b)
  const stats = Object.fromEntries(
    ['p(90)', 'p(95)', 'p(99)', ...points.map(statOf)].map((stat) => [
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

const merged = (...parts: K6Summary[]) => mergeParts(parts).metrics.answer!.values
const repeat = (times: number, value: number) => Array<number>(times).fill(value)

test('what was counted is the sum, also of what only one part saw', () => {
  const { metrics } = mergeParts([
    part(repeat(3, 1), { dropped_iterations: 2 }),
    part(repeat(4, 1), { failure_timeout: 1 }),
  ])
  expect(metrics).toMatchObject({
    accepted: { values: { count: 7 } },
    dropped_iterations: { values: { count: 2 } },
    failure_timeout: { values: { count: 1 } },
  })
})

test('the whole took as long as its longest part', () => {
  expect(mergeParts([part([1], { duration: 10_000 }), part([1], { duration: 12_000 })]).state.testRunDurationMs).toBe(
    12_000,
  )
})

test('percentiles are those of all answers together, where an average of theirs would be far off', () => {
  // A tenth of the answers, all of them slow, in a part of their own: the median of the whole is fast, its p95 slow.
  const values = merged(part(repeat(900, 10)), part(repeat(100, 1000)))
  expect(values).toMatchObject({ count: 1000, avg: 109, med: 10, 'p(95)': 1000, 'p(99)': 1000, max: 1000 })
})

test('they are as exact as a thousandth of the answers, for parts of any size and shape', () => {
  const next = random(5)
  const parts = [4000, 700, 90].map((count, index) =>
    Array.from({ length: count }, () => -Math.log(1 - next()) * 50 * (index + 1)),
  )
  const all = parts.flat().sort((a, b) => a - b)
  const values = merged(...parts.map((answers) => part(answers)))
  for (const [stat, share] of [
    ['med', 0.5],
    ['p(90)', 0.9],
    ['p(95)', 0.95],
    ['p(99)', 0.99],
  ] as const) {
    expect(values[stat]).toBeGreaterThanOrEqual(percentile(all, share - 0.001))
    expect(values[stat]).toBeLessThanOrEqual(percentile(all, share + 0.001))
  }
  expect(values.max).toBe(all.at(-1))
})

test('a part without an answer weighs nothing, and there may be none at all', () => {
  expect(merged(part([]), part(repeat(5, 20)))).toMatchObject({ count: 5, avg: 20, 'p(95)': 20 })
  expect(merged(part([]), part([]))).toEqual({ count: 0 })
})

test('of mixed traffic each workflow has its own percentiles', () => {
  const both = (first: number[], second: number[]): K6Summary => {
    const { state, metrics } = part([...first, ...second])
    return {
      state,
      metrics: { ...metrics, answer_0: part(first).metrics.answer, answer_1: part(second).metrics.answer },
    }
  }
  const { metrics } = mergeParts([both(repeat(30, 10), repeat(5, 500)), both(repeat(10, 20), [])])
  expect(metrics).toMatchObject({
    answer: { values: { count: 45 } },
    answer_0: { values: { count: 40, med: 10, max: 20 } },
    answer_1: { values: { count: 5, med: 500 } },
  })
})

test('parts follow each other from the beginning to the end', () => {
  expect([0, 1, 2].map((index) => partArgs(index, 3))).toEqual(
    ['0:1/3', '1/3:2/3', '2/3:1'].map((segment) => [
      `--execution-segment=${segment}`,
      '--execution-segment-sequence=0,1/3,2/3,1',
    ]),
  )
})

describe('a generator that divides a load', () => {
  const generated = (summary: K6Summary | null, over: Partial<Generated> = {}): Generated => ({
    summary: summary && JSON.stringify(summary),
    ended: 'exit code 0',
    failed: false,
    endedAt: 1000,
    elapsed: 10,
    cpuSeconds: 1,
    log: [],
    ...over,
  })
  const dividing = (...parts: Generated[]) => {
    const orders: GeneratorOrder[] = []
    const run = async (given: GeneratorOrder[]) => (orders.push(...given), parts)
    return {
      orders,
      generator: {
        cores: 1,
        run: () => Promise.reject(new Error('Expected parts')),
        together: { parts: parts.length, run },
      } satisfies Generator,
    }
  }
  const order: GeneratorOrder = {
    scenario: 'constant',
    env: { RATE: '90', LATE_MOST: '4' },
    signal: new AbortController().signal,
  }

  test('gives each its segment and asks it for its distribution; none gives up for all', async () => {
    const { orders, generator } = dividing(generated(part([1])), generated(part([2])))
    await runOn(generator, order)
    expect(orders).toMatchObject([{ args: partArgs(0, 2), env: { RATE: '90' } }, { args: partArgs(1, 2) }])
    expect(orders[0]!.env).not.toHaveProperty('LATE_MOST')
  })

  test('is as busy as its busiest part, and takes as long as its longest', async () => {
    const { generator } = dividing(
      generated(part([1]), { cpuSeconds: 2, endedAt: 900, elapsed: 9 }),
      generated(part([2, 3]), { cpuSeconds: 7 }),
      generated(part([4]), { cpuSeconds: 3, endedAt: 1100, elapsed: 11 }),
    )
    const { summary, ...whole } = await runOn(generator, order)
    expect(whole).toMatchObject({ cpuSeconds: 7, endedAt: 1100, elapsed: 11, failed: false })
    expect(JSON.parse(summary!).metrics.accepted.values.count).toBe(4)
  })

  test('has failed when one part has', async () => {
    const { generator } = dividing(
      generated(part([1])),
      generated(null, { failed: true, ended: 'no memory left', log: ['why'] }),
    )
    expect(await runOn(generator, order)).toMatchObject({
      summary: null,
      failed: true,
      ended: 'no memory left',
      log: ['why'],
    })
  })

  test('that does not divide runs it as it is', async () => {
    const one: Generator = {
      cores: 1,
      run: async (given) => generated(part([1]), { ended: JSON.stringify(given.env) }),
    }
    expect((await runOn(one, order)).ended).toBe('{"RATE":"90","LATE_MOST":"4"}')
  })
})
