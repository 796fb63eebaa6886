import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startN8n, type N8n } from '../support/n8n.ts'
import { signUp, type Owner } from '../support/owner-account.ts'
import { parseProfile } from '../../loadtests/src/model/profile.ts'

/** A real n8n with a week of executions put into its database: their mix, peak and failures are known. */

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'n8n-tuned-e2e-'))
const workflow = (name: string) => join(root, 'workflows', `${name}.json`)
const idOf = (name: string) => (JSON.parse(readFileSync(workflow(name), 'utf8')) as { id: string }).id
const scopes = ['workflow:list', 'workflow:read', 'execution:list', 'execution:read']

let n8n: N8n
let owner: Owner
let key: string
beforeAll(async () => {
  n8n = await startN8n('2.41.1', [workflow('ping-webhook'), workflow('expression-webhook')], {
    env: { N8N_USER_FOLDER: folder },
    install: () => ({}),
  })
  owner = await signUp(n8n)
  key = await owner.makeApiKey(scopes)
}, 600_000)
afterAll(async () => {
  await n8n?.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const minute = 60_000
const now = Math.floor(Date.now() / minute) * minute
const peak = now - 2 * 24 * 60 * minute

/** 4 a minute for six days, three of four of one workflow, every fiftieth failed; and 240 in one minute. */
function* week(): Generator<[string, string, number]> {
  let count = 0
  const of = (index: number): [string, string] => [
    index % 4 === 3 ? 'expression-webhook' : 'ping-webhook',
    index % 50 === 0 ? 'error' : 'success',
  ]
  for (let at = now - 6 * 24 * 60 * minute; at < now - minute; at += 15_000) yield [...of(count++), at]
  for (let index = 0; index < 236; index++) yield [...of(count++), peak + index * 200]
}

function fill(): void {
  const database = new DatabaseSync(join(folder, '.n8n/database.sqlite'), { timeout: 10_000 })
  const columns = database
    .prepare("SELECT name FROM pragma_table_info('execution_entity')")
    .all()
    .map(({ name }) => String(name))
  expect(columns).toEqual(
    expect.arrayContaining(['workflowId', 'finished', 'mode', 'startedAt', 'stoppedAt', 'status']),
  )
  const insert = database.prepare(
    'INSERT INTO execution_entity (workflowId, finished, mode, status, createdAt, startedAt, stoppedAt) '
      + 'VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const text = (at: number) => new Date(at).toISOString().replace('T', ' ').replace('Z', '')
  database.exec('BEGIN')
  for (const [name, status, at] of week())
    insert.run(idOf(name), Number(status === 'success'), 'webhook', status, text(at), text(at), text(at + 40))
  database.exec('COMMIT')
  database.close()
}

function lab(args: string[], env: Record<string, string> = {}): Promise<{ code: number; said: string }> {
  const all = { ...process.env, PATH: `${root}/node_modules/.bin:${process.env.PATH}`, ...env }
  return new Promise((resolve) =>
    execFile(join(root, 'node_modules/.bin/n8n-tuned'), args, { cwd: folder, env: all }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: stdout + stderr }),
    ),
  )
}
const learn = (env: Record<string, string>, ...more: string[]) =>
  lab(['learn', '--from', n8n.url, '--days', '7', '--out', join(folder, 'learned.yaml'), '--yes', ...more], env)

it('says of an n8n without history what to do', async () => {
  const { code, said } = await learn({ N8N_API_KEY: key })
  expect(code).toBe(2)
  expect(said).toContain('got none')
}, 300_000)

it('says of a key without rights which it needs', async () => {
  const { code, said } = await learn({ N8N_API_KEY: await owner.makeApiKey(['workflow:list', 'workflow:read']) })
  expect(code).toBe(2)
  expect(said).toContain('execution:list')
}, 300_000)

it('finds the mix, the peak and the failures, and check runs what it wrote', async () => {
  fill()
  const { code, said } = await learn({ N8N_API_KEY: key })
  expect(said).not.toContain(key)
  expect(code).toBe(0)
  const text = readFileSync(join(folder, 'learned.yaml'), 'utf8')
  expect(text).toContain(`The busiest minute began at ${new Date(peak).toISOString()}: 240 executions`)
  const { experiment } = parseProfile(text, 'learned.yaml')
  const { weights } = experiment.load as { weights: Record<string, number> }
  expect(experiment.need).toBe(4)
  const [ping, expression] = Object.values(weights) as [number, number]
  expect(ping / (ping + expression)).toBeCloseTo(0.75, 2)
  expect(experiment.slo.errors).toBeCloseTo(0.021, 2)
  const checked = await lab([
    'check',
    '--profile',
    'learned.yaml',
    '--rate',
    '4',
    '--quick',
    '--repeat',
    '1',
    '--slo',
    'p95=20s,backlog=100%',
    '--out',
    join(folder, 'run'),
  ])
  expect(checked).toMatchObject({ code: 0, said: expect.stringContaining('mixed-traffic') })
}, 400_000)
