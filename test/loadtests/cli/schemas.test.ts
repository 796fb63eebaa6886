import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { jsonSchemas } from '../../../loadtests/src/cli/schemas.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'
import { root } from '../../support/command.ts'
import { inProcess } from '../../support/in-process.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'
import { fixtures } from '../convert/converting.ts'
import { fleetRun } from '../fixtures/fleet-runs.ts'
import { quickRun } from '../fixtures/runs.ts'
import { schemaOf, validatorOf } from '../fixtures/schema.ts'

/** What each verb says to programs, and that it is as its schema says. Those of the hook and of learn have a server. */

const folder = temporaryFolder()

async function saved(name: string, records: RunRecord[]): Promise<string> {
  await write(folder, `${name}/run.ndjson`, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return join(folder, name)
}

/** The one document on standard output, as the schema says. */
async function answered(schema: string, exit: number, ...words: string[]) {
  const { out, err, ...said } = await inProcess(...words, '--json')
  expect({ ...said, err }).toEqual({ exit, err })
  const document = JSON.parse(out)
  const validate = validatorOf(schema)
  validate(document)
  expect(validate.errors).toBeNull()
  return { document, err }
}

test('the schemas are what the types say: `make schema` writes them', () => {
  const schemas = jsonSchemas()
  const files = readdirSync(join(root, 'loadtests/schema')).map((file) => file.replace('.schema.json', ''))
  expect(Object.fromEntries(files.map((name) => [name, schemaOf(name)]))).toEqual(schemas)
})

test('size: an estimate of each kind of workflow', async () => {
  const { document } = await answered('size', 0, 'size', '--rate', '30', '--cpu-speed', '1')
  const row = { workflow: 'one HTTP call', mode: 'queue', likely: { worker: 2 }, sure: { worker: 3 } }
  expect(document.kinds).toContainEqual(expect.objectContaining({ workflow: 'no outside call', mode: 'regular' }))
  expect(document.kinds[1]).toMatchObject(row)
})

test('size: from a run, for each rate what it needs, and the values that were written', async () => {
  const file = join(folder, 'values.yaml')
  const run = await saved('queue', fleetRun())
  const words = ['--rate', '60', '--at', '3,100', '--slo', 'p95=2s', '--price', 'cpu=23,memory=3', '--write', file]
  const { document } = await answered('size', 0, 'size', run, ...words)
  expect(document.rates.map(({ rate, mode }: { rate: number; mode: string }) => [rate, mode])).toEqual([
    [60, 'queue'],
    [3, 'regular'],
    [100, 'queue'],
  ])
  expect(document.rates[0]).toMatchObject({ cost: expect.any(Number), size: document.rates[0].sure })
  expect(document.rates[0].sustains.high).toBeGreaterThan(60)
  expect(document.next).toContain(`--values ${document.file} --workflow ping-webhook --rate 60`)
})

test('size: where no fleet meets the objective, the document says so, and the error is words', async () => {
  const words = ['--rate', '20', '--slo', 'p95=20ms', '--write', join(folder, 'none.yaml')]
  const { document, err } = await answered('size', 3, 'size', await saved('slow', fleetRun()), ...words)
  expect(document).toMatchObject({ rates: [{ mode: null, size: null }], file: null })
  expect(err).toContain('Allow more with --slo')
})

test('report: the summary, as check, compare and tune say it', async () => {
  const { document } = await answered('summary', 0, 'report', await saved('quick', quickRun()))
  expect(document.outcome).toBe('complete')
})

test('convert: the values, and what became of each key', async () => {
  const file = join(fixtures, 'compose-queue.yaml')
  const { document, err } = await answered(
    'convert',
    0,
    ...['convert', '--from', 'compose', '--env', join(fixtures, 'compose.env'), '--tag', '2.41.1', file],
  )
  expect(document.values).toMatchObject({ executions: { mode: 'queue' } })
  expect(document.keys).toContainEqual(
    expect.objectContaining({ file, line: expect.any(Number), outcome: expect.objectContaining({ is: 'mapped' }) }),
  )
  expect(document.secrets.length).toBeGreaterThan(0)
  expect(document.copy).toContain('kubectl create')
  expect(JSON.stringify(document)).not.toContain('not-to-be-printed')
  expect(err).toBe('')
})

test('an error that comes before anything is said leaves standard output empty', async () => {
  const file = await write(folder, 'unknown.yaml', 'mainframe: 1\n')
  const { exit, out, err } = await inProcess('convert', '--from', 'official', '--tag', '2.41.1', '--json', file)
  expect({ exit, out }).toEqual({ exit: 2, out: '' })
  expect(err).toContain('Fix: ')
})

test('init: what was written, and what was guessed', async () => {
  const trigger = { id: 'a', name: 'In', type: 'n8n-nodes-base.webhook', typeVersion: 2, position: [0, 0] }
  const set = { id: 'b', name: 'Set', type: 'n8n-nodes-base.noOp', typeVersion: 1, position: [200, 0] }
  const workflow = {
    ...{ id: 'orders', name: 'orders', settings: {}, pinData: {} },
    nodes: [
      { ...trigger, parameters: { path: 'orders', httpMethod: 'POST', responseMode: 'lastNode' } },
      { ...set, parameters: {} },
    ],
    connections: { In: { main: [[{ node: 'Set', type: 'main', index: 0 }]] } },
  }
  await write(folder, 'exports/orders.json', JSON.stringify(workflow))
  await write(folder, 'exports/broken.json', '{')
  const out = join(folder, 'lab')
  const { document } = await answered('init', 0, 'init', join(folder, 'exports'), '--out', out)
  expect(document).toMatchObject({ workflows: [{ name: 'orders' }], refused: [expect.stringContaining('broken.json')] })
  expect(document.files).toEqual(expect.arrayContaining([join(out, 'profile.yaml'), join(out, 'GUESSED.md')]))
})

test('ecosystem: the file, its processes and the secrets that it takes', async () => {
  const { document } = await answered('ecosystem', 0, 'ecosystem', '--set', 'encryptionKey.value=sesame')
  expect(document).toMatchObject({ files: [], processes: ['n8n-main'], secrets: ['N8N_ENCRYPTION_KEY'] })
  expect(document.text).not.toContain('sesame')
})

test('alerts: the files, and which alerts are in them', async () => {
  const { document } = await answered('alerts', 0, 'alerts', '--out', join(folder, 'alerts'))
  expect(document).toMatchObject({
    files: expect.arrayContaining([expect.stringContaining('rules.yaml')]),
    alerts: expect.arrayContaining(['N8nEventLoopBlocked']),
    left: expect.arrayContaining(['N8nOutOfMemory']),
  })
})

test('doctor: what was found, and the ways that there are', async () => {
  const { document } = await answered('doctor', 0, 'doctor')
  expect(document.ways).toContainEqual(expect.objectContaining({ possible: true }))
}, 60_000)

test('list: names with what they are', async () => {
  expect((await answered('list', 0, 'list')).document.workflows).toContain('ping-webhook')
})

test.each([
  ['list', '--rbac'],
  ['check', '--dry-run'],
])('%s %s has no JSON, and says so', async (...words) => {
  const { exit, out } = await inProcess(...words, '--json')
  expect({ exit, out }).toEqual({ exit: 2, out: '' })
})
