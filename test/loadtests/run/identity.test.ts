import { count } from '../../../loadtests/src/lib/figures.ts'
import type { Load } from '../../../loadtests/src/model/load.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'
import type { Warning } from '../../../loadtests/src/model/warning.ts'
import { finished } from '../../../loadtests/src/report/sentences.ts'
import { findWorkflow } from '../../../loadtests/src/workload/open.ts'
import { openTables, type Tables } from '../../support/execution-tables.ts'
import { executed, startMadeN8n, type Executes, type MadeN8n } from '../../support/made-n8n.ts'
import { options } from '../fixtures/k6.ts'
import { running } from '../fixtures/running.ts'

/**
 * Whole runs, with the real k6 and a real database, against a server that does to executions what the test says. Each
 * execution is counted by what it is, so whatever else n8n executes, deletes or keeps changes nothing. What is asked of
 * each kind of database is in test/loadtests/n8n/executions.test.ts.
 */

const { id: called } = await findWorkflow('ping-webhook', { file: '', line: null })
const discarding = { EXECUTIONS_DATA_SAVE_ON_ERROR: 'none' }
const discardingBoth = { ...discarding, EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none' }
const deletedAt = '2026-11-01 09:00:00'

let tables: Tables
const started: MadeN8n[] = []
beforeAll(async () => {
  tables = await openTables('sqlite')
}, 60_000)
afterEach(async () => {
  for (const n8n of started.splice(0)) await n8n.stop()
  await tables.empty()
})
afterAll(() => tables.close())

type Step = Extract<RunRecord, { type: 'step' }>

/** The step of a load of ten clients, and how many calls n8n has answered. */
async function measured(
  executes: Executes,
  settings: Record<string, string> = {},
  load: Load = { shape: 'closed', vus: 2, duration: 2, timeout: 5 },
): Promise<{ step: Step; n8n: MadeN8n; warnings: Warning[] }> {
  const n8n = await startMadeN8n(executes)
  started.push(n8n)
  const { records, error } = await running({
    load,
    variants: [{ name: 'one', values: {} }],
    other: {
      generator: options().generator,
      serve: undefined,
      up: async () => ({
        url: n8n.url,
        settings: { ...tables.settings, ...settings },
        stores: [],
        processes: [n8n.process],
        ready: async () => 0,
        down: async () => {},
      }),
    },
  })
  if (error) throw error
  const step = records.find((record): record is Step => record.type === 'step' && record.purpose === 'measure')
  const warnings = records.flatMap((record) => (record.type === 'warning' ? [record.warning] : []))
  return { step: step!, n8n, warnings }
}

/** Beside how long answers took: that is the machine's affair here. */
const codes = ({ reasons }: Step) => reasons.map(({ code }) => code).filter((code) => code !== 'latency')
const ours = (number: number) => Math.floor(number / 5)
/** Accepts every call, and loses every fifth. */
const losing: Executes = async ({ number, headers, n8n }) => {
  if (number % 5 !== 0) await executed(tables, n8n, { workflow: called, headers })
}

test('every fifth is lost while each of the others calls two sub-workflows', async () => {
  const { step, n8n } = await measured(async (call) => {
    await losing(call)
    for (const workflow of ['sub', called]) await executed(tables, call.n8n, { workflow, mode: 'integrated' })
  })
  const lost = ours(n8n.calls)
  expect(step.accounting).toMatchObject({ accepted: n8n.calls, finished: n8n.calls - lost, failed: 0, lost })
  expect(codes(step)).toContain('executions-lost')
})

test('every fifth is lost while others call the same workflow, and another one, as often', async () => {
  const { step, n8n } = await measured(async (call) => {
    await losing(call)
    await executed(tables, call.n8n, { workflow: called, headers: { host: 'theirs' } })
    await executed(tables, call.n8n, { workflow: 'theirs', headers: {} }, 'error')
  })
  const lost = ours(n8n.calls)
  expect(step.accounting).toMatchObject({ accepted: n8n.calls, finished: n8n.calls - lost, failed: 0, lost })
})

test('old failures are pruned while as many new executions fail', async () => {
  const old: number[] = []
  for (let number = 0; number < 500; number++) old.push(await tables.insert({ workflow: called, status: 'error' }))
  const { step, n8n } = await measured(async ({ headers, n8n: made }) => {
    await tables.remove(old.splice(0, 1))
    await executed(tables, made, { workflow: called, headers }, 'error')
  })
  expect(step.accounting).toMatchObject({ accepted: n8n.calls, finished: 0, failed: n8n.calls, lost: 0 })
  expect(codes(step)).toEqual(['executions-failed'])
})

/** Each fails, and n8n keeps none of those: it marks them for deletion, or deletes them. */
const failing =
  (forget: (id: number) => Promise<void>): Executes =>
  async ({ headers, n8n }) => {
    n8n.counts.started++
    await forget(await tables.insert({ workflow: called, headers, status: 'running' }))
    n8n.counts.failed++
  }
const marking = failing((id) => tables.change(id, { deletedAt }))
const deleting = failing((id) => tables.remove([id]))

test.each([
  ['marks', marking],
  ['deletes', deleting],
])('all fail, and n8n, which keeps those that end well, %s them', async (_, executes) => {
  const { step, n8n } = await measured(executes, discarding)
  expect(step.accounting).toMatchObject({ accepted: n8n.calls, finished: 0, failed: n8n.calls, lost: 0 })
  expect(step.holds).toBe(false)
})

test.each([
  ['marks', marking],
  ['deletes', deleting],
])('all fail, n8n, which keeps none, %s them, and its metrics tell', async (_, executes) => {
  const { step, n8n } = await measured(executes, discardingBoth)
  expect(step.accounting).toMatchObject({ accepted: n8n.calls, finished: 0, failed: n8n.calls, lost: 0 })
  expect(step.holds).toBe(false)
})

test('where n8n keeps none and its metrics count none, how they ended is unknown: said before', async () => {
  const { step, n8n, warnings } = await measured(async ({ headers }) => {
    const id = await tables.insert({ workflow: called, headers, status: 'running' })
    await tables.change(id, { deletedAt })
  }, discardingBoth)
  expect(step.accounting).toMatchObject({ finished: 0, failed: 0, lost: 0, unknown: n8n.calls })
  expect(finished(step.accounting)).toContain(`How ${count(n8n.calls)} ended is unknown`)
  expect(warnings[0]).toMatchObject({ code: 'outcome-not-kept' })
})

test('a process that answers no look leaves its backlog unknown, and the step cannot hold', async () => {
  let silence: NodeJS.Timeout | undefined
  const { step } = await measured(
    async ({ headers, n8n }) => {
      // From the load's beginning to its end: then it counts again.
      n8n.silent = true
      clearTimeout(silence)
      silence = setTimeout(() => (n8n.silent = false), 500)
      await executed(tables, n8n, { workflow: called, headers })
    },
    {},
    { shape: 'closed', vus: 1, duration: 6, timeout: 5 },
  )
  expect(step.holds).toBe(false)
  expect(step.reasons).toMatchObject([{ code: 'silent', text: expect.stringMatching(/^main-0 answered no look/) }])
})
