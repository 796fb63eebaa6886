import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { renderConsole } from '../../../loadtests/src/report/render.ts'
import { renderHtml } from '../../../loadtests/src/report/render.ts'
import { renderMarkdown } from '../../../loadtests/src/report/render.ts'
import { setAsideLines } from '../../../loadtests/src/report/set-aside.ts'
import { T0 } from '../fixtures/records.ts'
import { quickRun } from '../fixtures/runs.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

/** A reader learns from each report which values were not measured. */

const values = [
  { what: ['database at db.example.com'], instead: 'a new database', effect: 'Tables are empty' },
  { what: ['ingress', 'publicUrl'], instead: 'called directly', effect: 'nothing' },
]
const [first, ...rest] = quickRun()
const summary = summarise([first, { type: 'set-aside', at: T0, values }, ...rest] as RunRecord[])

test('the record brings them into the summary', () => {
  expect(summary.setAside).toEqual(values)
})

test.each([
  ['terminal', renderConsole(summary, { color: false })],
  ['Markdown', renderMarkdown(summary)],
  ['HTML', renderHtml(summary, [])],
])('%s: one table lists them', (_, report) => {
  for (const text of ['database at db.example.com', 'a new database', 'Tables are empty.', 'ingress, publicUrl'])
    expect(report).toContain(text)
  expect(report.split('database at db.example.com')).toHaveLength(2)
})

test.each([
  ['terminal', renderConsole(summarise(quickRun()), { color: false })],
  ['Markdown', renderMarkdown(summarise(quickRun()))],
  ['HTML', renderHtml(summarise(quickRun()), [])],
])('%s: nothing is said where nothing was set aside', (_, report) => {
  expect(report).not.toContain('set aside')
})

test('plain lines are a table, whose cells break between words', () => {
  const what = Array.from({ length: 4 }, (_, index) => `worker.extraEnv.A_LONG_NAME_${index}`)
  const lines = setAsideLines([{ what, instead: 'left out', effect: 'nothing' }])
  expect(lines).toHaveLength(2 + 4)
  expect(lines[2]).toMatch(/^ {2}worker\.extraEnv\.A_LONG_NAME_0, +left out +Nothing\.$/)
  expect(Math.max(...lines.slice(1).map(({ length }) => length))).toBeLessThanOrEqual(122)
})
