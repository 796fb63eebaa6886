import { exitCodeOf } from '../../../loadtests/src/judge/answer.ts'
import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import type { GeneratorWork } from '../../../loadtests/src/load/generator.ts'
import type { Slo } from '../../../loadtests/src/model/experiment.ts'
import { points, statOf } from '../../../loadtests/src/load/summary.ts'
import { askedFor } from '../../../loadtests/src/report/another-objective.ts'
import { generatorAgainst, running } from '../fixtures/running.ts'

/** As k6 would: all answers take 50 ms. */
function generator() {
  const steady = generatorAgainst(100)
  const even = Object.fromEntries(points.map(({ percentile }) => [statOf(percentile), 50]))
  return {
    ...steady,
    run: async (work: GeneratorWork) =>
      (await steady.run(work)).map((generated) => {
        const summary = JSON.parse(generated.summary!)
        Object.assign(summary.metrics.answer.values, even, { 'p(99.9)': 50 })
        return { ...generated, summary: JSON.stringify(summary) }
      }),
  }
}

/** What a run at 50/s says of an objective, from so many seconds of answers that are all in time. */
async function said(slo: Partial<Slo>, duration: number) {
  const load = { shape: 'constant', rate: 50, duration, timeout: 5 } as const
  const { records } = await running({
    load,
    variants: [{ name: 'tuned', values: {} }],
    other: { generator: generator() },
  })
  const { results, answer } = summarise(askedFor({ p95: 500, errors: 0.001, backlog: 0.05, ...slo }, records))
  return { code: exitCodeOf(answer), verdict: results[0]!.verdict }
}

test.each([
  ['p99', 381, 5],
  ['p99.9', 3838, 60],
] as const)('%s needs %d answers: with fewer it is unsure, even if all are in time', async (name, _, short) => {
  const { code, verdict } = await said({ [name]: 400 }, short)
  expect(verdict.unsure?.length).toBeGreaterThan(0)
  expect(code).toBe(exitCodes.invalid)
})

test.each([
  ['p99', 10],
  ['p99.9', 80],
] as const)('%s is met where there are enough answers', async (name, long) => {
  const { code, verdict } = await said({ [name]: 400 }, long)
  expect(verdict.unsure ?? []).toEqual([])
  expect(code).toBe(exitCodes.met)
})
