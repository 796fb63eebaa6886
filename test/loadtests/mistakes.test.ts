import { join } from 'node:path'
import { inProcess } from '../support/in-process.ts'
import { write } from '../support/temporary.ts'
import { folder, good, expectUsage } from './fixtures/mistakes.ts'

test.each([
  ['an unknown command', ['measure'], "unknown command 'measure'"],
  ['an unknown option', ['check', '--fast'], "unknown option '--fast'"],
  ['a missing argument', ['report'], "missing required argument 'dir'"],
  ['a value that is no YAML', ['check', '--set', 'a=[1'], 'Expected its value to be YAML, got "[1".'],
  [
    'a target that there is not',
    ['check', '--target', 'mars'],
    'Expected local, kubernetes or a URL like https://n8n.example.com, got "mars".',
  ],
  [
    'a password as an argument',
    ['check', '--target', 'https://me:secret@n8n.example.com'],
    'Expected a URL without a name and a password',
  ],
])('a mistake ends with exit 2, and what to do: %s', async (_, words, said) => {
  const result = await inProcess(...words)
  expectUsage(result)
  expect(result.err).toContain(said)
  expect(result.err).toContain('n8n-tuned --help')
})

test('a key file that cannot be read is named, and not taken for one without a key', async () => {
  const file = join(folder, 'no-such.key')
  const result = await inProcess('learn', '--from', 'http://127.0.0.1:9', '--key-file', file, '--yes')
  expectUsage(result)
  expect(result.err).toContain(`${file}: Expected a readable file, got none of that name.`)
})

test.each([
  [
    'an unknown profile',
    ['check', '--profile', 'fast'],
    'Expected --profile to be a file or one of capacity, check, faults, ',
    'Fix: ./n8n-tuned list',
  ],
  [
    'an unknown workflow',
    ['check', '--workflow', 'tennis'],
    '--workflow: Expected workflows to name a bundled workflow, a JSON file or a folder of them, got "tennis".',
    'Fix: Bundled: ',
  ],
  [
    'one of several variants, unnamed',
    ['check', '--profile', 'quick'],
    'Expected one configuration to check, got the 3 variants of quick.',
    'Fix: Name one with --variant (n8n-defaults, tuned, patched)',
  ],
  [
    'a variant that there is not',
    ['check', '--profile', 'quick', '--variant', 'fast'],
    'Expected --variant to be one of n8n-defaults, tuned, patched, got "fast".',
    'Fix: ',
  ],
  [
    'a value of Helm that the chart refuses',
    ['check', '--set', 'executions.process=own'],
    '--set: These values are refused.\nexecutions.process: Expected ',
    'Fix: Change the value',
  ],
  [
    'an n8n that the lab did not start, without a word, wherever it is',
    ['check', '--target', 'http://127.0.0.1:1', '--out', join(folder, 'never')],
    'Expected your word for what this run reaches beside what the lab starts, got none without a terminal:\n'
      + '  the n8n at http://127.0.0.1:1/ (--target)\n    - it is asked GET /webhook/ping (ping-webhook), at most ',
    'Fix: Give --yes',
  ],
  [
    'an n8n that does not answer',
    ['check', '--target', 'http://127.0.0.1:1', '--yes', '--out', join(folder, 'never')],
    'Expected http://127.0.0.1:1/webhook/ping to answer, got: ',
    'Fix: ',
  ],
  [
    'Helm values for an n8n that runs already',
    ['check', '--target', 'http://127.0.0.1:1', '--set', 'main.replicas=1'],
    'to keep its settings, got --set.',
    'Fix: Leave that out',
  ],
  [
    'variants of an n8n that runs already',
    ['compare', '--target', 'http://127.0.0.1:1'],
    'Expected check with a --target that runs already, got compare.',
    'Fix: ',
  ],
  [
    'metrics of an n8n that the lab starts itself',
    ['check', '--metrics-url', 'http://127.0.0.1:1/metrics'],
    'Expected --metrics-url with a --target that is a URL',
    'Fix: Leave it out',
  ],
  [
    'an explanation of an n8n that the lab does not start',
    ['check', '--explain', '--target', 'http://127.0.0.1:1'],
    'Expected --explain with an n8n that the lab starts on this machine (--target local), got the URL',
    'Fix: Leave --explain out',
  ],
  [
    'an explanation in a cluster',
    ['compare', '--explain', '--target', 'kubernetes'],
    'got kubernetes.',
    'Fix: Leave --explain out',
  ],
  [
    'a folder without a run',
    ['report', '/nowhere'],
    'Expected /nowhere to hold a run.ndjson, found none.',
    'Fix: Name a folder',
  ],
])('a mistake ends with exit 2, and what to do: %s', async (_, words, said, fix) => {
  const result = await inProcess(...words)
  expectUsage(result)
  expect(result.err).toContain(said)
  expect(result.err).toContain(fix)
})

test('a mix is nothing to size for', async () => {
  const profile = await write(
    folder,
    'traffic.yaml',
    good.replace('{ shape: closed, vus: 8,', '{ shape: mixed, rate: 5,'),
  )
  const result = await inProcess('size', '--profile', profile, '--rate', '5', '--out', join(folder, 'never'))
  expectUsage(result)
  expect(result.err).toContain('got the mix of mine.\nFix: Set load.shape to constant')
})
