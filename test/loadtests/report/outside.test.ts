import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { renderConsole } from '../../../loadtests/src/report/render.ts'
import { renderHtml } from '../../../loadtests/src/report/render.ts'
import { renderMarkdown } from '../../../loadtests/src/report/render.ts'
import { outsideRows, outsideSentences } from '../../../loadtests/src/report/outside.ts'
import { T0, cell, end, run, step } from '../fixtures/records.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'
import type { OutsideCount } from '../../../loadtests/src/model/outside.ts'

const slack = {
  host: 'slack.com',
  method: 'POST',
  path: '/api/chat.postMessage',
  outcome: 'refused' as const,
  count: 12,
  waited: { mean: 1, p50: 1, p95: 2 },
}
const api = {
  host: 'api.example.com',
  method: 'GET',
  path: '/orders/*',
  outcome: 'answered' as const,
  count: 1500,
  waited: { mean: 120, p50: 80, p95: 310 },
}
const count = (over: Partial<OutsideCount> = {}): OutsideCount => ({
  calls: [api, slack],
  cpu: { seconds: 0.6, peak: 0.12 },
  turnedAway: 0,
  left: [],
  ...over,
})
const summaryOf = (outside?: OutsideCount) =>
  summarise([
    run(),
    cell(0),
    step(0, 50),
    ...(outside ? [{ type: 'outside', at: T0, cell: 0, ...outside } as RunRecord] : []),
    end(),
  ])
const said = (over: Partial<OutsideCount> = {}) => outsideSentences(summaryOf(count(over))).join(' ')

test('every report says what n8n asked, how long it waited and what was refused', () => {
  const summary = summaryOf(count())
  const html = renderHtml(summary, [])
  const markdown = renderMarkdown(summary)
  for (const sentence of outsideSentences(summary))
    for (const text of [html, markdown, renderConsole(summary, { color: false })]) expect(text).toContain(sentence)
  expect(outsideRows(summary)[0]).toEqual([
    'ping-webhook',
    'tuned',
    'GET api.example.com/orders/*',
    '1,500',
    '80 ms / 310 ms',
    'the mock',
  ])
  expect(html).toContain('POST slack.com/api/chat.postMessage')
  expect(said()).toContain('Refused with 502, since no rule mocks it: slack.com (12 times).')
})

test('a request’s time is split into n8n’s and that of its services', () => {
  const taking = (mean: number) => said({ calls: [{ ...api, count: 1000, waited: { mean, p50: mean, p95: mean } }] })
  expect(taking(10)).toMatch(/^ping-webhook: at 50\/s a request takes \d+ ms on average. /)
  expect(taking(10)).toMatch(/ It waits 20 ms for services, in 2 calls; \d+ ms are n8n’s./)
  expect(taking(400)).toContain('Its execution waits 800 ms for services, in 2 calls, at once or after the answer.')
})

test('a run of an earlier version, which kept no means, has no split', () => {
  expect(said({ calls: [{ ...api, waited: { p50: 80, p95: 310 } }] })).not.toContain('a request takes')
})

test('a run with the real services says nothing of a mock', () => {
  expect(outsideSentences(summaryOf())).toEqual([])
  expect(renderHtml(summaryOf(), [])).not.toContain('Calls to external services')
})

test.each([
  [{}, 'Nothing left the machine: n8n’s network had no way out, and nothing tried.'],
  [{ turnedAway: 4 }, 'and 4 packets that tried were turned away'],
  [{ turnedAway: null }, 'No real service was seen to be contacted; the lab looked once a second.'],
  [
    { turnedAway: null, left: ['203.0.113.5:5432'] },
    'Left the machine past the mock: connections to 203.0.113.5:5432.',
  ],
])('of %j it says whether anything left', (over, sentence) => {
  expect(said(over)).toContain(sentence)
})

test('a mock that was a limit is named as one', () => {
  expect(said()).toContain('1,512 calls in 0.6 s of CPU, at most 0.12 of a core in any second.')
  expect(said({ cpu: { seconds: 60, peak: 0.95 } })).toContain('it was a limit itself')
})
