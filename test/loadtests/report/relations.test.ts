import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'
import type { Comparison } from '../../../loadtests/src/model/summary.ts'
import { renderConsole, renderMarkdown } from '../../../loadtests/src/report/render.ts'
import { comparisonInWords } from '../../../loadtests/src/report/comparison-words.ts'
import { cell, end, run, sample, step, T0 } from '../fixtures/records.ts'

/**
 * Every relation of two n8n that is printed: with the range of each known or open, by their turns or by what each
 * sustains alone. One is far above, near to, or far below the other. No text says more than its finding.
 */

type Ends = 'known' | 'open'

/** A search of one n8n; `open`: nothing broke it. */
const searched = (index: number, rate: number, ends: Ends): RunRecord[] => [
  ...[0.8, 0.9, 0.95, 1].map((share) => step(index, share * rate)),
  ...(ends === 'known' ? [1.05, 1.1, 1.2].map((share) => step(index, share * rate, { because: ['latency'] })) : []),
]

/** Ten turns of 5 s when full, A B B A, in which an execution takes so many CPU seconds. */
const full = (index: number, cpuAt: (turn: number) => number): RunRecord[] => {
  let executed = 0
  return Array.from({ length: 10 }, (_, turn) => {
    const cpu = cpuAt(turn)
    const startedAt = T0 + (2 * turn + Number((index === 1) !== turn % 2 > 0)) * 12_000
    const before = executed
    executed += Math.round(5 / cpu)
    const looks = Array.from({ length: 9 }, (_, second) => {
      const at = startedAt - 1500 + second * 1000
      const done = before + Math.round(Math.max(0, Math.min(5, (at - startedAt) / 1000)) / cpu)
      const share = Math.max(0, Math.min(at, startedAt + 5000) - Math.max(at - 1000, startedAt)) / 1000
      return sample(index, at, { cpu: share, executions: { started: done, succeeded: done, failed: 0 } })
    })
    return [
      ...looks,
      step(index, null, { turn: turn + 1, purpose: 'full', startedAt, seconds: 5, throughput: 1 / cpu }),
    ]
  }).flat()
}

const grid = (['turns', 'alone'] as const).flatMap((by) =>
  (['known', 'open'] as const).flatMap((before) =>
    (['known', 'open'] as const).flatMap((after) =>
      [0.2, 0.97, 1, 1.03, 5].map((ratio) => ({ by, before, after, ratio })),
    ),
  ),
)

const summaryOf = ({ by, before, after, ratio }: (typeof grid)[number]) =>
  summarise([
    run(),
    cell(0, { variant: 'n8n-defaults' }),
    ...(by === 'turns' ? full(0, () => 0.06) : []),
    ...searched(0, 10, before),
    cell(1, { variant: 'tuned' }),
    ...(by === 'turns' ? full(1, () => 0.06 / ratio) : []),
    ...searched(1, 10 * ratio, after),
    end(),
  ])

const rangesIn = (text: string) =>
  [...text.matchAll(/([\d.]+) times \(([\d.]+) to ([\d.]+)\) the (capacity|throughput|CPU)/g)].map(
    ([, ratio, low, high, what]) => ({ ratio: Number(ratio), low: Number(low), high: Number(high), what }),
  )

/** What the range of the deciding figure must say of each finding. */
function agrees({ finding, by }: Comparison, ranges: ReturnType<typeof rangesIn>): boolean {
  const named = { throughput: 'throughput', cpu: 'CPU', capacity: 'capacity' }
  const deciding = by && ranges.find(({ what }) => what === named[by])
  if (finding === 'unsure') return ranges.every(({ low, high }) => low <= 1 && high >= 1)
  if (finding === 'same') return ranges.every(({ low, high }) => low <= 1 && high >= 1)
  if (!deciding) return false
  const isMore = deciding.low > 1
  const isLess = deciding.high < 1
  return finding === 'better' ? (by === 'cpu' ? isLess : isMore) : by === 'cpu' ? isMore : isLess
}

test.each(grid)('by $by, one $before and the other $after, $ratio times', (one) => {
  const summary = summaryOf(one)
  const [comparison] = summary.comparison
  const text = comparisonInWords(comparison!, summary)
  const { finding } = comparison!
  expect(/^tuned is better than n8n-defaults/.test(text)).toBe(finding === 'better')
  expect(/^tuned is worse than n8n-defaults/.test(text)).toBe(finding === 'worse')
  expect(/^No difference beyond/.test(text)).toBe(finding === 'same')
  expect(/^Whether tuned is better .* is not known/.test(text)).toBe(finding === 'unsure')
  expect(agrees(comparison!, rangesIn(text))).toBe(true)
  // Of an open end there is no ratio, but what both did when they were full tells one.
  if (one.by === 'alone' && (one.before === 'open' || one.after === 'open')) expect(rangesIn(text)).toEqual([])
  for (const printed of [renderConsole(summary, { color: false }), renderMarkdown(summary)]) {
    expect(printed).not.toMatch(/sustains [^.]*\. Unsure/)
    expect(printed.includes(`${'at least'} `)).toBe(one.before === 'open' || one.after === 'open')
    if (finding === 'unsure' || finding === 'worse') expect(printed).not.toMatch(/Recommended: the values of tuned/)
  }
})

test('a baseline that still got faster is not measured yet, and the text says how many executions it needs', () => {
  const summary = summarise([
    run({ experiment: { asks: 'capacity' } }),
    cell(0, { variant: 'n8n-defaults' }),
    ...full(0, (turn) => 0.2 * 0.85 ** turn),
    ...searched(0, 10, 'known'),
    cell(1, { variant: 'tuned' }),
    ...full(1, () => 0.06),
    ...searched(1, 12, 'known'),
    end(),
  ])
  const [cold, warm] = summary.answer.configurations
  expect(cold).toMatchObject({ answered: 'unsure', why: 'not-warm' })
  expect(warm!.answered).toBe('measured')
  expect(renderMarkdown(summary)).toMatch(/n8n-defaults may sustain about /)
})
