import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { apart, TooCostly } from '../../loadtests/src/lib/apart.ts'
import { changesIn, seenAround } from '../support/hostile/changes.ts'
import { costlyCode, costlyJson, costlyValue, costlyYaml, longText, type Costly } from '../support/hostile/costs.ts'
import * as inputs from '../support/hostile/inputs.ts'
import { placesIn, put, randomFrom } from '../support/hostile/texts.ts'
import type * as Verbs from '../support/hostile/verbs.ts'
import { temporaryFolder, write } from '../support/temporary.ts'
import { fleetRun } from './fixtures/fleet-runs.ts'

/**
 * Whatever strangers hand over, and however much it would cost to read: doublings, shapes in a cycle, patterns that
 * take for ever, long tokens, YAML that contains itself. Each verb ends with a result or one message, within ten
 * seconds and a gibibyte, and nothing changes elsewhere.
 * HOSTILE_SEED=… makes others; HOSTILE_COSTS=… is the number of all inputs, in place of the usual one.
 */

const given = Number(process.env.HOSTILE_SEED ?? 1)
const count = Number(process.env.HOSTILE_COSTS ?? 300)
process.stdout.write(`Costly input: HOSTILE_SEED=${given}\n`)

/** Seconds, and MiB beside the 300 that `apart` allows for what is in no heap. */
const most = { seconds: 10, mebibytes: 720 }
const call = apart<typeof Verbs>(import.meta.filename, '../support/hostile/verbs', most.mebibytes)

const folder = temporaryFolder()
await write(join(folder, 'victim'), 'x', 'kept')
const own = join(folder, 'a/b/own')
mkdirSync(own, { recursive: true })
const before = seenAround(folder, own)

type Random = () => number
const oneOf = <Value>(all: readonly Value[], random: Random): Value => all[Math.floor(random() * all.length)]!

/** Somebody's word is asked for before anything starts, and nobody gives it. */
const asks = ['--remote-write', 'http://127.0.0.1:9/']
const checks = (...words: string[]) => ['check', ...words, ...asks]
const workflow = join(own, 'workflow.json')

interface Kind {
  name: string
  is: 'json' | 'yaml' | 'lines'
  base: unknown
  words: (file: string, random: Random) => string[]
}

const sources = ['official', 'community', '8gears', 'compose']
const wrapped = (object: object) => ({ ...object, metadata: { name: 'n8n', namespace: 'n8n' } })
const kinds: Kind[] = [
  { name: 'a workflow', is: 'json', base: inputs.workflows, words: (file) => checks('--workflow', file) },
  { name: 'its code', is: 'json', base: inputs.workflows, words: (file) => checks('--workflow', file) },
  { name: 'a folder for init', is: 'json', base: inputs.workflows, words: (file) => ['init', join(file, '..')] },
  { name: 'code for init', is: 'json', base: inputs.workflows, words: (file) => ['init', join(file, '..')] },
  {
    name: 'a workflow to size',
    is: 'json',
    base: inputs.workflows[0],
    words: (file) => ['size', '--rate', '3', '--workflow', file, ...asks],
  },
  {
    name: 'requests',
    is: 'json',
    base: inputs.request,
    words: (file) => checks('--workflow', workflow, '--request', file),
  },
  {
    name: 'an archive',
    is: 'json',
    base: inputs.har,
    words: (file) => checks('--workflow', workflow, '--request', file),
  },
  {
    name: 'credentials',
    is: 'json',
    base: inputs.credentials,
    words: (file) => checks('--workflow', workflow, '--credentials', file),
  },
  {
    name: 'data tables',
    is: 'json',
    base: inputs.dataTables,
    words: (file) => checks('--workflow', workflow, '--data-tables', file),
  },
  { name: 'recorded answers', is: 'yaml', base: inputs.recorded, words: (file) => checks('--outside', file) },
  { name: 'a profile', is: 'yaml', base: inputs.profile, words: (file) => checks('--profile', file) },
  {
    name: 'a profile to compare',
    is: 'yaml',
    base: inputs.profile,
    words: (file) => ['compare', '--profile', file, ...asks],
  },
  { name: 'values', is: 'yaml', base: inputs.values, words: (file) => checks('--values', file) },
  { name: 'values to tune', is: 'yaml', base: inputs.values, words: (file) => ['tune', '--values', file, ...asks] },
  { name: 'values for PM2', is: 'yaml', base: inputs.values, words: (file) => ['ecosystem', '--values', file] },
  ...sources.map((from): Kind => ({
    name: `values of ${from}`,
    is: 'yaml',
    base: from === 'compose' ? inputs.compose : inputs.official,
    words: (file) => ['convert', '--from', from, file],
  })),
  {
    name: 'a HelmRelease',
    is: 'yaml',
    base: wrapped({
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      spec: {
        chart: { spec: { chart: 'n8n' } },
        valuesFrom: [{ kind: 'ConfigMap', name: 'a', valuesKey: 'values.yaml' }],
        values: inputs.official,
      },
    }),
    words: (file) => ['convert', '--from', 'official', file],
  },
  {
    name: 'an Application',
    is: 'yaml',
    base: wrapped({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      spec: {
        source: {
          chart: 'n8n',
          helm: { releaseName: 'n8n', parameters: [{ name: 'a.b', value: 'c' }], valuesObject: inputs.official },
        },
      },
    }),
    words: (file) => ['convert', '--from', 'official', file],
  },
  { name: 'a run', is: 'lines', base: fleetRun(), words: (file) => ['report', join(file, '..')] },
  {
    name: 'runs to compare',
    is: 'lines',
    base: fleetRun(),
    words: (file) => ['report', join(own, 'other'), join(file, '..')],
  },
  {
    name: 'a run to size from',
    is: 'lines',
    base: fleetRun(),
    words: (file, random) => [
      oneOf(['size', 'plan'], random),
      join(file, '..'),
      ...[
        '--rate',
        oneOf(['1e-300', '60', '1e5', '99999.9'], random),
        '--slo',
        `p95=${oneOf(['1ms', '500ms', '9999h'], random)}`,
      ],
    ],
  },
]

/** One input: a whole file, or what is usual with one place of it changed. */
function inputOf({ name, is, base }: Kind, random: Random): { what: string; text: string } {
  const isCode = /code/.test(name)
  if (!isCode && random() < (is === 'yaml' ? 0.4 : 0.15)) {
    const { what, value } = is === 'yaml' ? costlyYaml(random) : costlyJson(random)
    return { what, text: value as string }
  }
  const places = [...placesIn(base)].filter(({ path, key }) => !isCode || (!key && path.at(-1) === 'jsCode'))
  const { path, key } = oneOf(places, random)
  const { what, value }: Costly = isCode ? costlyCode(random) : key ? longText(random) : costlyValue(random)
  const changed = put(base, path, key, value)
  return { what: `${key ? 'the key ' : ''}${path.join('.')}: ${what}`, text: textOf(is, changed) }
}

function textOf(is: Kind['is'], value: unknown): string {
  if (is === 'lines') return (value as unknown[]).map((line) => `${JSON.stringify(line)}\n`).join('')
  const json = JSON.stringify(value)
  // What is deep cannot be written in lines.
  return is === 'json' || /[[{]{40}|(\{"a":){40}/.test(json) ? json : stringify(value, { aliasDuplicateObjects: false })
}

const names = { json: 'given.json', yaml: 'given.yaml', lines: 'run.ndjson' }

/** What is wrong with how the verb ended; empty where nothing is. */
async function tried(kind: Kind, random: Random): Promise<string> {
  const { what, text } = inputOf(kind, random)
  const file = await write(own, `given/${names[kind.is]}`, text)
  const words = kind.words(file, random)
  const wrong = await call(most.seconds, 'said', words, []).then(
    ({ exit, err }) => {
      if (![0, 2, 3, 4].includes(exit) || /defect/.test(err)) return `exit ${exit}: ${err.slice(0, 1500)}`
      // It may quote what was given.
      const most = 100_000 + 2 * text.length
      return err.length > most ? `a message of ${err.length} characters: ${err.slice(0, 200)}` : ''
    },
    (error: unknown) => (error instanceof TooCostly ? 'took too long, or too much memory' : String(error)),
  )
  const changed = changesIn(before, seenAround(folder, own))
  rmSync(join(own, 'given'), { recursive: true })
  return [wrong, changed && `changed ${changed}`]
    .filter(Boolean)
    .map((says) => `${words[0]}, ${kind.name}, ${what.slice(0, 200)}: ${says}`)
    .join('\n')
}

// Verbs write where they begin. Other files of tests go on in this process, and this folder goes.
const home = process.cwd()
afterAll(() => process.chdir(home))

beforeAll(async () => {
  await write(own, 'workflow.json', JSON.stringify(inputs.workflows[0]))
  await write(own, 'other/run.ndjson', textOf('lines', fleetRun()))
  process.chdir(own)
})

test.each(kinds.map((kind) => [kind.name, kind] as const))(
  '%s',
  async (name, kind) => {
    const random = randomFrom(given ^ [...name].reduce((sum, one) => 31 * sum + one.charCodeAt(0), 7))
    const wrong: string[] = []
    for (let at = 0; at < Math.ceil(count / kinds.length); at++) {
      const one = await tried(kind, random)
      if (one) wrong.push(one)
    }
    expect(wrong).toEqual([])
  },
  count * 10_000,
)
