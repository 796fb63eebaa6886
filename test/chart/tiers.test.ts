import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { parseAllDocuments } from 'yaml'
import { paths, tool } from '../../loadtests/src/lib/paths.ts'

const tags = ['0.221.2', '1.123.81', '2.41.1', '2.42.4', '3.0.0']
const modes = { regular: {}, queue: { executions: { mode: 'queue' }, database: { type: 'embedded' } } }
const page = readFileSync(resolve(import.meta.dirname, '../../docs/tiers.md'), 'utf8')

interface Variable {
  name: string
  value?: string
}
interface Workload {
  kind: string
  spec: { template: { spec: { containers: { env: Variable[] }[]; volumes: { name: string }[] } } }
}

/** Each is rendered once. */
const rendered = new Map<string, Workload[]>()
function deployments(tag: string, values: object): Workload[] {
  const input = JSON.stringify({ image: { tag }, ...values })
  const known = rendered.get(input)
  if (known) return known
  const args = ['template', 'n8n', paths.chart, '--values', '-']
  const made = parseAllDocuments(execFileSync(tool('helm'), args, { input, encoding: 'utf8' }))
    .map((document) => document.toJS() as Workload)
    .filter((object) => object?.kind === 'Deployment')
  rendered.set(input, made)
  return made
}

const variables = (tag: string, values: object) =>
  deployments(tag, values).flatMap(({ spec }) => spec.template.spec.containers.flatMap(({ env }) => env))

const said = ({ name, value }: Variable) => `${name}=${value}`

describe.each(tags)('n8n %s', (tag) => {
  test.each(Object.entries(modes))('loads nothing of ours by default in %s mode', (_, mode) => {
    expect(
      variables(tag, mode)
        .map(said)
        .filter((one) => /--require|--import|N8N_TUNED/.test(one)),
    ).toEqual([])
    const volumes = deployments(tag, mode).flatMap(({ spec }) => spec.template.spec.volumes.map(({ name }) => name))
    expect(volumes).not.toContain('patches')
  })

  test.each(['tuned', 'lean'].flatMap((tier) => Object.keys(modes).map((mode) => [tier, mode] as const)))(
    'sets in the tier %s, in %s mode, only what docs/tiers.md links to a page of n8n or Node',
    (tier, mode) => {
      const values = modes[mode as keyof typeof modes]
      const plain = new Set(variables(tag, { ...values, tuning: { tier: 'n8n-defaults' } }).map(said))
      const added = variables(tag, { ...values, tuning: { tier } }).filter((one) => !plain.has(said(one)))
      const names = added.flatMap(({ name, value }) => (name === 'NODE_OPTIONS' ? value!.match(/--[a-z-]+/g)! : [name]))
      const rows = page.split('\n').filter((line) => line.startsWith('| ') && /\]\[[a-z-]+\]/.test(line))
      expect(names.filter((name) => !rows.some((row) => row.includes(name)))).toEqual([])
    },
  )
})

test('every link of the page leads to an address', () => {
  const used = [...page.matchAll(/\]\[([a-z-]+)\]/g)].map(([, name]) => name!)
  expect(used.filter((name) => !page.includes(`\n[${name}]: https://`))).toEqual([])
})
