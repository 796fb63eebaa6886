import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { printMarkdown } from '../../../loadtests/src/report/print/markdown.ts'
import { renderMarkdown } from '../../../loadtests/src/report/render.ts'
import { cell, end, run, sample, step, T0 } from '../fixtures/records.ts'
import { explainedRun, mixedRun, queueRun, quickRun } from '../fixtures/runs.ts'
import type { Document } from '../../../loadtests/src/report/document.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

test('gives every workflow a table of its own', () => {
  const text = renderMarkdown(summarise(quickRun()))
  const section = text.split('### ping-webhook')[1].split('###')[0]
  expect(section).toContain(
    '| n8n-defaults | 17.8/s | one run | 410 ms at 17.8/s | measured | latency | 907 MiB of 1 GiB |',
  )
  expect(section).toContain('| tuned (recommended) | 99.9/s |')
  expect(section).not.toContain('113/s')
})

test('says of several processes what each did and took', () => {
  const text = renderMarkdown(
    summarise([
      run(),
      cell(0),
      sample(0, T0 + 1000, { process: 'balancer', cpu: 0.2, rss: 10 * 2 ** 20 }),
      sample(0, T0 + 1000, { process: 'webhook-0', cpu: 0.5, rss: 400 * 2 ** 20 }),
      { ...step(0, 50, { startedAt: T0 }), spread: { 'webhook-0': 1234 } } as RunRecord,
      end(),
    ]),
  )
  expect(text).toContain('| tuned | balancer | – | 0.20 | 10 MiB | 10 MiB |')
  expect(text).toMatch(/\| tuned \| webhook-0 \| 1.?234 \| 0\.50 \| 400 MiB \| 400 MiB \|/)
})

test('says how long executions waited and ran, at the highest load that held', () => {
  expect(renderMarkdown(summarise(queueRun()))).toContain('| tuned | 40/s | 4 ms / 31 ms | 22 ms / 48 ms | 11.6 / 90 |')
  expect(renderMarkdown(summarise(quickRun()))).not.toContain('Waited, p50')
})

test('says of a partial run that it is one', () => {
  expect(renderMarkdown(summarise(quickRun().slice(0, 100)))).toContain('> **Warning:** The run was interrupted')
})

test('text of a run neither becomes markup nor breaks a table', () => {
  const text = renderMarkdown(
    summarise([run({ experiment: { question: '<b>*Why*</b>' } }), cell(0, { variant: 'a|b\nc' }), step(0, 50), end()]),
  )
  expect(text).toContain('# \\<b\\>\\*Why\\*\\</b\\>')
  expect(text).toContain('| a\\|b c |')
})

test('the name of a workflow or a variant is text, whatever it holds', () => {
  const name = 'x](javascript:alert(1))<img src=x onerror=1>|y\n\n# Forged'
  const text = renderMarkdown(
    summarise([
      run({ experiment: { workflows: [name], question: name } }),
      cell(0, { variant: name, workflow: name }),
      step(0, 50),
      end(),
    ]),
  )
  const prose = text.replace(/^(`{3,})[^`]*?\n[\s\S]*?\n\1$/gm, '').replace(/`[^`\n]+`/g, '')
  expect(prose).not.toMatch(/(?<!\\)\]\(javascript:|(?<!\\)<img|^# Forged/m)
})

test('objective, load, group and command of a document are text on one line', () => {
  const forged = 'x](javascript:1)<img>\n\n# Forged'
  const text = printMarkdown({
    title: 'Title',
    answered: { word: 'unsure' },
    verdict: 'Verdict.',
    objective: forged,
    load: forged,
    warnings: [],
    sections: [{ title: 'Section', within: forged, blocks: [] }],
    end: { text: 'Do', command: 'a\n\n# Forged' },
  } as unknown as Document)
  expect(text).not.toMatch(/(?<!\\)\]\(javascript:|(?<!\\)<img|^# Forged/m)
})

test('a command with backticks stays inside its fence', () => {
  const text = renderMarkdown(summarise([run({ command: 'echo ```' }), end()]))
  expect(text).toContain('````sh\necho ```\n````')
})

test('says which functions took the CPU time', () => {
  const text = renderMarkdown(summarise(explainedRun())).split('## Where the CPU time goes')[1]
  expect(text).toContain('### expression-webhook on n8n-defaults\n')
  expect(text).toContain('| createIsolate | @n8n/expression-runtime/dist/bridge.js:41 | 60 % |')
})

test('tells a mix as one, and each workflow of it', () => {
  const text = renderMarkdown(summarise(mixedRun()))
  expect(text).toContain(
    'Load: 40/s for 60 s over ping-webhook (3) and expression-webhook (1), arriving evenly; the ' + 'first 2 s',
  )
  expect(text).toContain('### mixed-traffic')
  expect(text).toContain('Of the mix, ping-webhook accepted 1,800')
  expect(text).not.toContain('Not measured.')
})
