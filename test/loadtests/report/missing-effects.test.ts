import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { renderConsole } from '../../../loadtests/src/report/render.ts'
import { renderHtml } from '../../../loadtests/src/report/render.ts'
import { renderMarkdown } from '../../../loadtests/src/report/render.ts'
import { seriesOf } from '../../../loadtests/src/report/series.ts'
import { cell, constant, end, run, step, T0, visited } from '../fixtures/records.ts'

const message = 'Expected Redis to take CLIENT within 30 s, got no answer: the fault did not begin.'
const records = [
  run({ experiment: { load: constant } }),
  cell(0),
  step(0, 50),
  { type: 'fault-untold' as const, cell: 0, at: T0, fault: 'redis-paused', message },
  visited(0, 1),
  end(),
]
const summary = summarise(records)
const said = `redis-paused: its effects are not known. ${message}`

test('a fault whose effects are not known does not pass', () => {
  expect(summary.answer).toMatchObject({ answered: 'not-measured', why: 'fault-unknown' })
  expect(summary.untold).toEqual([{ variant: 'tuned', workflow: 'ping-webhook', fault: 'redis-paused', message }])
})

test('what was measured before it stays as it was', () => {
  expect(summary.results[0]).toMatchObject({ verdict: { holds: true } })
})

test('each report says why', () => {
  expect(renderConsole(summary, { color: false })).toContain(said)
  expect(renderMarkdown(summary)).toContain(said)
  expect(renderHtml(summary, seriesOf(records))).toContain(said)
})
