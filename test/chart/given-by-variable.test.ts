import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { paths, tool } from '../../loadtests/src/lib/paths.ts'

/** The chart's own table of n8n's variables on which something else of the chart depends. */
interface Row {
  read?: string
  as?: 'int' | 'bool' | 'list'
  use?: string
}
const table = Object.entries(
  parse(
    /define "n8n-tuned.variables" -}}\n(.*?)\n{{- end/s.exec(
      readFileSync(join(paths.chart, 'templates/_variables.tpl'), 'utf8'),
    )![1]!,
  ) as Record<string, Row>,
)
const known = Object.values(
  JSON.parse(readFileSync(join(paths.chart, 'files/n8n-variables.json'), 'utf8')) as Record<string, string[]>,
).flat()

const external = {
  executions: { mode: 'queue' },
  database: { type: 'external', host: 'db', password: { existingSecret: { name: 'db' } } },
  encryptionKey: { generate: true },
  backup: { enabled: true, image: { tag: '17' } },
  redis: { type: 'external', host: 'cache' },
  worker: { autoscaling: { by: 'queue' } },
  license: { existingSecret: { name: 'licence' } },
  ingress: { enabled: true, host: 'n8n.example.com' },
}
const nodes = { ...external, redis: { type: 'external' } }

/** A value that is not the default, and the variable's text for it. */
const samples: Record<string, unknown> = {
  webhookUrl: 'https://hooks.example.com',
  publicUrl: 'https://flows.example.com',
  timezone: 'Europe/Berlin',
  'binaryData.mode': 's3',
  'database.tls.verify': false,
  'redis.clusterNodes': ['a:1', 'b:2'],
}
const sampleOf = ({ read, as }: Row) => samples[read!] ?? (as === 'int' ? 7 : as === 'bool' ? true : 'sample')
const textOf = (value: unknown) => (Array.isArray(value) ? value.join(',') : String(value))

const read = table.filter(([, row]) => row.read)
const single = read.filter(([, { as }]) => as !== 'list')
const lists = read.filter(([, { as }]) => as === 'list')

const render = (values: object, flags: string[]) =>
  spawnSync(
    tool('helm'),
    ['template', 'n8n', paths.chart, '--values', '-', ...flags.flatMap((flag) => ['--set-json', flag])],
    { input: JSON.stringify(values), encoding: 'utf8', maxBuffer: 2 ** 26 },
  )
const byVariable = (role: string, rows: typeof read) =>
  rows.map(([name, row]) => `${role}.extraEnv.${name}=${JSON.stringify(textOf(sampleOf(row)))}`)
const byValue = (rows: typeof read) => rows.map(([, row]) => `${row.read}=${JSON.stringify(sampleOf(row))}`)

test('each variable of the table is one of n8n, and is read or refused', () => {
  expect(read.length).toBeGreaterThan(15)
  expect(table.filter(([name]) => !known.includes(name)).map(([name]) => name)).toEqual([])
})

const rendered = (values: object, flags: string[]) => {
  const { stdout, stderr } = render(values, flags)
  expect(stderr).toBe('')
  return stdout
}

test.each(['role', 'worker'])(
  'a variable that is read in %s.extraEnv does what the value does',
  (role) => {
    expect(rendered(external, byVariable(role, single))).toBe(rendered(external, byValue(single)))
    expect(rendered(nodes, byVariable(role, lists))).toBe(rendered(nodes, byValue(lists)))
  },
  120_000,
)

test('each other variable is refused in each role, with the value to use', () => {
  const refused = table.filter(([, row]) => !row.read)
  const roles = ['main', 'worker', 'webhook']
  const { stderr } = render(
    external,
    roles.flatMap((role) => refused.map(([name]) => `${role}.extraEnv.${name}="7"`)),
  )
  const missing = roles.flatMap((role) =>
    refused
      .filter(([name, { use }]) => {
        const line = stderr.split('\n').find((one) => one.startsWith(`${role}.extraEnv.${name}: `))
        return !line?.endsWith(use ? `Set ${use} instead.` : 'Leave it out.')
      })
      .map(([name]) => `${role}: ${name}`),
  )
  expect(missing).toEqual([])
})
