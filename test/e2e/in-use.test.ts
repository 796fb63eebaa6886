import pg from 'pg'
import { render } from '../../loadtests/src/chart/render.ts'
import { until } from '../../loadtests/src/lib/await.ts'
import { processGenerator } from '../../loadtests/src/load/process.ts'
import { openDatabase } from '../../loadtests/src/n8n/database.ts'
import { executionsOf } from '../../loadtests/src/n8n/execution-data.ts'
import type { Running } from '../../loadtests/src/n8n/running.ts'
import { postgresqlLogin } from '../../loadtests/src/n8n/settings.ts'
import { openEditors } from '../../loadtests/src/run/editors.ts'
import { seedHistory } from '../../loadtests/src/run/history.ts'
import { localTarget } from '../../loadtests/src/targets/local/local.ts'
import type { Target } from '../../loadtests/src/targets/target.ts'
import { findWorkflow } from '../../loadtests/src/workload/open.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** A real n8n with a history and open editors, as the chart renders it. */

const logs = temporaryFolder()
const signal = new AbortController().signal
const workflow = await findWorkflow('ping-webhook', { file: '', line: null })
const pace = { executions: 200, workflows: 500, saves: 300, patience: 30_000 }
const executions = 40_000

describe.each([
  ['PostgreSQL', { database: { type: 'embedded', indexes: { executionList: true } } }],
  ['SQLite', {}],
])('on %s', (kind, values) => {
  let target: Target
  let running: Running
  beforeAll(async () => {
    target = await localTarget(processGenerator)
    running = await target.up(await render(values), {
      workflows: [workflow],
      logs,
      signal,
      onEvent: () => {},
      onProgress: () => {},
    })
  }, 600_000)
  afterAll(() => target.close())

  test('n8n takes what was seeded for its own, goes on, and shows it to those who look', async () => {
    const asked = { executions, workflows: [workflow.id], folder: target.folder, signal, onProgress: () => {} }
    const { executions: held } = await seedHistory(running, asked)
    expect(held).toBeGreaterThan(executions)
    const answer = await fetch(running.url + workflow.webhook.path, { method: workflow.webhook.method })
    expect(answer.status).toBe(200)
    const database = openDatabase(running.settings!)
    const newest = await database.given('execution_entity')
    await database.close()
    expect(newest).toBeGreaterThan(held)
    const own = async () => (await executionsOf(running.settings!, [workflow.id], newest - 1))[0]?.status === 'success'
    expect(await until(own, { timeout: 20_000, every: 100 })).toBe(true)

    const editors = await openEditors(running.mainUrl ?? running.url, 3, signal, fail, pace)
    await editors.awake(true)
    const seen = () => editors.during({ startedAt: 0, endedAt: Infinity })
    const enough = async () => seen().lists.asked > 9 && seen().workflows.asked > 3 && seen().saves.asked > 1
    expect(await until(enough, { timeout: 60_000, every: 100 })).toBe(true)
    await editors.awake(false)
    expect(seen()).toMatchObject({ lists: { failed: 0 }, workflows: { failed: 0 }, saves: { failed: 0 } })
  }, 120_000)

  if (kind === 'PostgreSQL')
    test('its list is read from the index that the sidecar made, after n8n’s own migrations', async () => {
      const client = new pg.Client(postgresqlLogin(running.settings!))
      await client.connect()
      const reads = async () => {
        const { rows } = await client.query<{ reads: string }>(
          "SELECT idx_scan AS reads FROM pg_stat_user_indexes WHERE indexrelname = 'n8n_tuned_execution_list'",
        )
        return Number(rows[0]?.reads ?? 0) > 0
      }
      expect(await until(reads, { timeout: 20_000, every: 200 })).toBe(true)
      await client.end()
    }, 60_000)
})

const fail = (error: unknown) => {
  throw error
}
