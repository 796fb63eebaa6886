import { summarise } from '../../../loadtests/src/analyse/summarise.ts'
import { renderMarkdown } from '../../../loadtests/src/report/markdown.ts'
import { cell, end, run, step } from '../fixtures/records.ts'
import { quickRun } from '../fixtures/runs.ts'

test('gives every workflow a table of its own', () => {
  const text = renderMarkdown(summarise(quickRun()))
  const section = text.split('### ping-webhook')[1].split('###')[0]
  expect(section).toContain('| n8n-defaults | 17.8/s | – | 410 ms | yes | latency | 907 MiB of 1 GiB |')
  expect(section).toContain('| tuned (recommended) | 99.9/s |')
  expect(section).not.toContain('113/s')
})

test('says of a partial run that it is one', () => {
  expect(renderMarkdown(summarise(quickRun().slice(0, 100)))).toContain('> **Warning:** The run was interrupted')
})

test('text of a run neither becomes markup nor breaks a table', () => {
  const text = renderMarkdown(summarise([
    run({ experiment: { question: '<b>*Why*</b>' } }),
    cell(0, { variant: 'a|b\nc' }),
    step(0, 50),
    end(),
  ]))
  expect(text).toContain('# \\<b\\>\\*Why\\*\\</b\\>')
  expect(text).toContain('| a\\|b c |')
})

test('a command with backticks stays inside its fence', () => {
  const text = renderMarkdown(summarise([run({ command: 'echo ```' }), end()]))
  expect(text).toContain('````sh\necho ```\n````')
})
