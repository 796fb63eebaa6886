import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { editorsRows, historyRows, schedulesRows } from '../../../loadtests/src/report/in-use.ts'
import { renderConsole, renderHtml, renderMarkdown } from '../../../loadtests/src/report/render.ts'
import { T0, cell, constant, end, run, sample, step } from '../fixtures/records.ts'
import type { EditorsSeen } from '../../../loadtests/src/model/editors.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

const held = { executions: 1_000_123, bytes: 3 * 2 ** 30, hours: 302.4, took: 74 }
const seen: EditorsSeen = {
  open: 20,
  lists: { asked: 150, failed: 12, p50: 15_000, p95: 17_000 },
  workflows: { asked: 20, failed: 0, p50: 30, p95: 40 },
  saves: { asked: 2, failed: 0, p50: 80, p95: 90 },
}
const records = (...more: RunRecord[]): RunRecord[] => [
  run({ experiment: { load: constant } }),
  cell(0),
  { type: 'history', at: T0, cell: 0, ...held },
  ...more,
  end(),
]

test('what the database held is in every report', () => {
  const summary = summarise(records(step(0, 50)))
  expect(historyRows(summary)).toEqual([['ping-webhook', 'tuned', '1,000,123', '3 GiB', '13 days', '1 min 14 s']])
  for (const text of [renderConsole(summary, { color: false }), renderMarkdown(summary), renderHtml(summary, [])])
    expect(text).toContain('1,000,123')
})

test('what editors cost stands beside the same load without them', () => {
  const measured = step(0, 50)
  if (measured.type !== 'step') throw new Error('Expected a step.')
  const { startedAt, endedAt } = measured.load
  const before = { startedAt: startedAt - 40_000, endedAt: startedAt - 10_000 }
  const looks = (at: number, postgresql: number, main: number): RunRecord[] => [
    sample(0, at, { process: 'postgresql-0', cpu: postgresql }),
    sample(0, at, { process: 'main-0', cpu: main }),
  ]
  const summary = summarise(
    records(
      ...looks(before.startedAt + 1000, 0.08, 0.43),
      { type: 'without-editors', at: before.endedAt, cell: 0, p95: 70, ...before },
      ...looks((startedAt + endedAt) / 2, 1.42, 0.34),
      { ...measured, editors: seen },
    ),
  )
  const p95 = measured.load.latency!.p95
  expect(editorsRows(summary)).toEqual([
    ['ping-webhook', 'tuned', 'none', '70 ms', '0.08 cores', '0.43 cores', '–', '–', '–'],
    ['ping-webhook', 'tuned', '20', `${p95} ms`, '1.42 cores', '0.34 cores', '15 s / 17 s', '12 of 150', '90 ms'],
  ])
})

test('a run without either says nothing of them', () => {
  const summary = summarise([run(), cell(0), step(0, 50), end()])
  expect(summary.results[0]).not.toHaveProperty('history')
  expect(summary.results[0]).not.toHaveProperty('editors')
  expect(renderMarkdown(summary)).not.toContain('As in use')
})

test('what scheduled workflows did, and what callers felt beside them, is in every report', () => {
  const measured = step(0, 50)
  if (measured.type !== 'step') throw new Error('Expected a step.')
  const schedules = {
    ...{ copies: 200, due: 2, ran: 399, missed: 1, double: 0, failed: 3, open: 0 },
    late: { p50: 2010, p95: 2930, max: 2990 },
    callers: { beside: 3830, otherwise: 41.8 },
  }
  const summary = summarise(records({ ...measured, schedules }))
  expect(schedulesRows(summary)).toEqual([
    ['ping-webhook', 'tuned', '200', '2.01 s / 2.93 s / 2.99 s', '1 of 400', '0', '3', '3.83 s', '41.8 ms'],
  ])
  for (const text of [renderConsole(summary, { color: false }), renderMarkdown(summary), renderHtml(summary, [])])
    expect(text).toContain('1 of 400')
})
