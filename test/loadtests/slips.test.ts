import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { commandWith } from '../support/command.ts'
import { inProcess } from '../support/in-process.ts'
import { write } from '../support/temporary.ts'
import { expectUsage, folder, good } from './fixtures/mistakes.ts'

/** What a hand slips on: one message, the right file, a next step, and nothing begun. */

const files = {
  'broken.json': '{ "nodes": [',
  'no-workflow.json': '{ "a": 1 }',
  'untriggered.json': {
    name: 'untriggered',
    nodes: [{ id: '1', name: 'Set', type: 'n8n-nodes-base.set', typeVersion: 3, position: [0, 0], parameters: {} }],
    connections: {},
  },
  'tab.yaml': good.replace('load: { shape', 'load:\n\tshape: {'),
  'list.yaml': '- a\n',
  'credentials.json': 'hello',
  'a-file': '',
}
for (const [name, content] of Object.entries(files)) await write(folder, name, content)
const at = (name: string) => join(folder, name)

test.each([
  ['a file that is not there', ['check', '--workflow', at('nowhere.json')], 'nowhere.json: ', 'none of that name'],
  ['a workflow cut short', ['check', '--workflow', at('broken.json')], 'broken.json: ', 'got no JSON'],
  ['JSON that is no workflow', ['check', '--workflow', at('no-workflow.json')], 'no-workflow.json: ', 'without nodes'],
  ['a workflow without a trigger', ['check', '--workflow', at('untriggered.json')], 'untriggered.json: ', 'trigger'],
  ['a tab in YAML', ['check', '--profile', at('tab.yaml')], 'tab.yaml:', 'Tabs are not allowed'],
  ['values that are a list', ['check', '--values', at('list.yaml')], 'list.yaml:1: ', 'got: a list'],
  ['a folder for a file', ['check', '--values', folder], `${folder}: `, 'got: a folder'],
  ['credentials that are no JSON', ['check', '--credentials', at('credentials.json')], 'credentials.json: ', 'no JSON'],
  ['a request that is not there', ['check', '--request', at('none.json')], 'none.json: ', 'none of that name'],
  ['a results folder through a file', ['check', '--out', at('a-file/x')], 'a-file/x: ', 'leads through a file'],
  ['a folder of workflows that is not there', ['init', at('nowhere')], 'nowhere: ', 'none of that name'],
  ['Compose files that are not there', ['convert', '--from', 'compose', at('no.yml')], 'no.yml: ', 'none of that name'],
  ['a run that is none', ['report', at('nowhere')], 'nowhere ', 'found none'],
])('a slip is one message that names its file: %s', async (_, words, file, problem) => {
  const said = await inProcess(...words)
  expectUsage(said)
  expect(said.err).toContain(file)
  expect(said.err).toContain(problem)
  expect(said.err.match(/^Fix: \S/gm)).toHaveLength(1)
})

test.each([
  ['a flag misspelt', ['check', '--worflow', 'ping-webhook'], '(Did you mean --workflow?)'],
  ['a verb misspelt', ['chek'], '(Did you mean check?)'],
  ['a verb that every object has', ['toString'], "unknown command 'toString'"],
  ['a URL without https://', ['check', '--target', 'n8n.example.com'], 'a URL like https://n8n.example.com, got "n8n'],
  ['a rate of 0', ['check', '--rate', '0'], 'Expected a number above 0, got "0".'],
  ['a rate that is a word', ['check', '--rate', 'abc'], 'Expected a number above 0, got "abc".'],
  ['an objective without its unit', ['check', '--slo', 'p95=500'], 'Expected p95=500ms, '],
  ['an option without its value', ['check', '--workflow'], "option '--workflow <name|file>' argument missing"],
])('a slip on the command line says what was expected: %s', async (_, words, expected) => {
  const said = await inProcess(...words)
  expectUsage(said)
  expect(said.err).toContain(expected)
  expect(said.err).toContain('--help')
})

test.each([
  ['a bundled workflow misspelt', ['check', '--workflow', 'ping-webhok'], 'Did you mean ping-webhook?'],
  ['a profile misspelt', ['check', '--profile', 'capcity'], 'Did you mean capacity?'],
  ['a fault misspelt', ['check', '--fault', 'main-kiled'], 'Did you mean main-killed?'],
  ['a fault misspelt, with its seconds', ['check', '--fault', 'redis-frozn=45s'], 'Did you mean redis-frozen=45s?'],
])('a name misspelt is answered with the nearest one: %s', async (_, words, expected) => {
  const said = await inProcess(...words)
  expectUsage(said)
  expect(said.err).toContain(`Fix: ${expected}`)
})

test('a port that another program has is said in words', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const said = await inProcess('hook', '--listen', address, '--', 'check', '--target', 'http://127.0.0.1:9', '--yes')
  server.close()
  expectUsage(said)
  expect(said.err).toBe(
    `Expected to listen on ${address}, got a port that another program has.\n`
      + 'Fix: Name another address with --listen.\n',
  )
})

test('a key for learn that is not given is asked for, with where to make one', async () => {
  const said = await commandWith({ N8N_API_KEY: '' }, 'learn', '--from', 'http://127.0.0.1:9', '--yes')
  expectUsage(said)
  expect(said.err).toContain('N8N_API_KEY')
  expect(said.err).toContain('Fix: Make one in n8n under Settings')
})

test('a cache that cannot be made names the variable to set', async () => {
  mkdirSync(at('elsewhere'))
  const said = await commandWith({ N8N_TUNED_CACHE: at('a-file/cache') }, 'check', '--out', at('elsewhere/never'))
  expect(said.exit).toBe(2)
  expect(said.err).toContain('N8N_TUNED_CACHE')
})
