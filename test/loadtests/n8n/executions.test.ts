import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { until } from '../../../loadtests/src/lib/await.ts'
import { connectionTo } from '../../../loadtests/src/n8n/database.ts'
import { openExecutions, type Begun, type ExecutionDatabase } from '../../../loadtests/src/n8n/executions.ts'
import { kinds, openTables, type Row, type Tables } from '../../support/execution-tables.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** The same questions to a real SQLite and a real PostgreSQL with n8n's tables. */

const all = { success: true, error: true }
const load = (over: Partial<Begun['called'][0]> = {}, after = 0): Begun => ({
  after,
  called: [{ id: 'a', kept: all, marked: true, ...over }],
  mark: 'ntr-ab12',
})
const oldHome = temporaryFolder()
const ours = { 'x-n8n-tuned-run': 'ntr-ab12' }

describe.each(kinds)('in %s', (kind) => {
  let tables: Tables
  let database: ExecutionDatabase
  let first: number
  beforeAll(async () => {
    tables = await openTables(kind)
    database = openExecutions(tables.settings)
  }, 60_000)
  afterAll(async () => {
    await database.close()
    await tables.close()
  })
  beforeEach(async () => {
    await tables.empty()
    first = await database.newest()
  })

  const write = async (...rows: (Partial<Row> & Pick<Row, 'status'>)[]) => {
    const ids: number[] = []
    for (const row of rows) ids.push(await tables.insert({ workflow: 'a', headers: ours, ...row }))
    return ids
  }
  const tally = (over: Partial<Begun['called'][0]> = {}) => database.tally(load(over, first))
  const ends = { finished: 0, failed: 0, crashed: 0, open: 0, unknown: 0 }

  test('an execution has one of four ends, or none yet', async () => {
    const [, , , crashed, open] = await write(
      { status: 'success' },
      { status: 'error' },
      { status: 'canceled' },
      { status: 'crashed' },
      { status: 'running' },
      { status: 'new' },
      { status: 'waiting' },
    )
    expect(await tally()).toEqual({
      by: { a: { ...ends, finished: 1, failed: 2, crashed: 1, open: 3 } },
      gone: 0,
      others: 0,
      names: { crashed: [String(crashed)], open: [open, open! + 1, open! + 2].map(String) },
    })
  })

  test('earlier executions, sub-workflows, schedules and other workflows are none of the load’s', async () => {
    await write({ status: 'error' })
    const after = await database.newest()
    await write(
      { status: 'success' },
      { status: 'error', mode: 'integrated' },
      { status: 'error', mode: 'trigger' },
      { status: 'error', workflow: 'b' },
    )
    expect(await database.tally(load({}, after))).toMatchObject({ by: { a: { ...ends, finished: 1 } }, gone: 0 })
  })

  test('calls of others to the same workflow lack the mark', async () => {
    await write({ status: 'success' }, { status: 'error', headers: { host: 'n8n' } })
    expect(await tally()).toMatchObject({ by: { a: { ...ends, finished: 1 } }, others: 1 })
  })

  test('one whose data n8n replaced is still the load’s', async () => {
    const [id] = await write({ status: 'crashed' })
    await tables.replaceData(id!, '[{"error":"1"}]')
    expect(await tally()).toMatchObject({ by: { a: { ...ends, crashed: 1 } }, others: 0 })
  })

  test('a trigger that keeps no headers keeps no mark: every call of the workflow counts', async () => {
    await write({ status: 'success', headers: undefined }, { status: 'success', headers: { host: 'elsewhere' } })
    expect(await tally({ marked: false })).toMatchObject({ by: { a: { finished: 2 } }, others: 0 })
  })

  describe('one that is marked for deletion while its row says that it runs', () => {
    const deletedAt = '2026-11-01 09:00:00'
    test.each([
      ['finished, where n8n discards those that end well', { success: false, error: true }, 'finished'],
      ['failed, where n8n discards those that fail', { success: true, error: false }, 'failed'],
      ['unknown, where n8n discards both', { success: false, error: false }, 'unknown'],
      ['unknown, where n8n keeps both', all, 'unknown'],
    ])('%s', async (_, kept, end) => {
      await write({ status: 'running', deletedAt })
      expect((await tally({ kept })).by).toEqual({ a: { ...ends, [end]: 1 } })
    })

    test('a status that is an end stays one', async () => {
      await write({ status: 'error', deletedAt }, { status: 'success', deletedAt })
      expect((await tally({ kept: { success: false, error: false } })).by).toEqual({
        a: { ...ends, finished: 1, failed: 1 },
      })
    })
  })

  test('those whose rows are gone are counted, whatever they were', async () => {
    const ids = await write({ status: 'success' }, { status: 'success', workflow: 'b' }, { status: 'success' })
    await tables.remove(ids.slice(0, 2))
    expect(await tally()).toMatchObject({ gone: 2, by: { a: { finished: 1 } } })
  })

  test('what has not ended is counted from one execution on, of whatever kind', async () => {
    const [, open] = await write(
      { status: 'success' },
      { status: 'running', mode: 'integrated' },
      { status: 'running', deletedAt: '2026-11-01 09:00:00' },
      { status: 'new' },
    )
    expect(await database.open(first)).toEqual({ count: 2, first: open })
    expect(await database.open(await database.newest())).toEqual({ count: 0, first: null })
  })

  describe('how long they took', () => {
    const at = (seconds: number) => `2026-11-20 09:00:${seconds.toFixed(3).padStart(6, '0')}`
    const taken = (accepted: number, begun: number, done: number) => ({
      status: 'success',
      createdAt: at(accepted),
      startedAt: at(begun),
      stoppedAt: at(done),
    })

    test('their wait is told apart from their run, without rows of others', async () => {
      await write(taken(1, 1.25, 6.25), taken(2, 2.25, 7.25), { ...taken(0, 50, 59), mode: 'integrated' })
      const { waited, ran } = (await database.times(load({}, first), 2))!
      expect(waited.p50).toBeCloseTo(250, 0)
      expect(ran.p95).toBeCloseTo(5000, 0)
    })

    test('it is unknown where many have left no row, or are not done', async () => {
      await write(taken(0, 1, 2), { status: 'running', createdAt: at(0), startedAt: at(1) })
      expect(await database.times(load({}, first), 2)).toBeNull()
    })
  })

  test('the id of each request is found in the data of its execution, and a retry is one', async () => {
    const request = (id: string) => ({ headers: { 'x-n8n-tuned-request': id } })
    const [one, two] = await write(
      { status: 'success', ...request('ntr-ab12-0') },
      { status: 'running', mode: 'retry', ...request('ntr-ab12-1') },
      { status: 'success', mode: 'integrated', ...request('ntr-ab12-1') },
      { status: 'success', ...request('ntr-other-1') },
    )
    expect(await database.carrying({ ...load({}, first), mark: 'ntr-ab12-' })).toEqual([
      { execution: one, workflow: 'a', request: 'ntr-ab12-0', retry: false },
      { execution: two, workflow: 'a', request: 'ntr-ab12-1', retry: true },
    ])
  })

  test('its size is that of the database, and of its executions those that n8n keeps', async () => {
    await write({ status: 'success' }, { status: 'success', deletedAt: '2026-11-01 09:00:00' })
    const { bytes, kept, transactions } = await database.size()
    expect({ kept, large: bytes > 4096 }).toEqual({ kept: 1, large: true })
    expect(transactions === null).toBe(kind === 'sqlite')
  })
})

test('n8n 0.x has no mark of deletion, notes no acceptance, and keeps the data in the row itself', async () => {
  const home = oldHome
  mkdirSync(join(home, '.n8n'))
  const tables = new DatabaseSync(join(home, '.n8n/database.sqlite'))
  tables.exec(`CREATE TABLE execution_entity (id INTEGER PRIMARY KEY AUTOINCREMENT, "workflowId" integer, mode varchar,
    status varchar, data text, "startedAt" datetime, "stoppedAt" datetime)`)
  const insert = tables.prepare('INSERT INTO execution_entity VALUES (NULL, 7, ?, ?, ?, NULL, NULL)')
  insert.run('webhook', 'success', '[{"headers":"1"},"ntr-ab12-0"]')
  insert.run('webhook', 'failed', '[{"headers":"1"},"theirs"]')
  insert.run('webhook', 'success', '[{"headers":"1"},"ntr-ab12-1"]')
  tables.exec('DELETE FROM execution_entity WHERE id = 3')
  tables.close()
  const database = openExecutions({ HOME: home })
  const begun = { ...load({ id: '7', kept: { success: false, error: true } }), mark: 'ntr-ab12' }
  expect(await database.tally(begun)).toMatchObject({ by: { 7: { finished: 1, failed: 0 } }, gone: 1, others: 1 })
  expect(await database.open(0)).toEqual({ count: 0, first: null })
  expect(await database.times(begun, 3)).toBeNull()
  expect(await database.carrying(begun)).toMatchObject([{ execution: 1, request: 'ntr-ab12-0' }])
})

describe('in a PostgreSQL with many executions', () => {
  let tables: Tables
  let client: pg.Client
  beforeAll(async () => {
    tables = await openTables('postgresql')
    client = new pg.Client(connectionTo(tables.settings))
    await client.connect()
    await client.query(`INSERT INTO execution_entity ("workflowId", mode, status)
      SELECT 'a', 'webhook', 'success' FROM generate_series(1, 50000)`)
    await client.query('ANALYZE execution_entity')
  }, 60_000)
  afterAll(async () => {
    await client.end()
    await tables.close()
  })

  const reads = async () => {
    const { rows } = await client.query<Record<'inOrder' | 'byIndex', string>>(
      `SELECT seq_scan AS "inOrder", idx_scan AS "byIndex" FROM pg_stat_user_tables
      WHERE relname = 'execution_entity'`,
    )
    return { inOrder: Number(rows[0]!.inOrder), byIndex: Number(rows[0]!.byIndex) }
  }

  test('what has not ended is found without a look at the rows before it', async () => {
    const before = await reads()
    const database = openExecutions(tables.settings)
    const newest = await database.newest()
    expect(await database.open(newest - 1000)).toEqual({ count: 0, first: null })
    // PostgreSQL counts what a connection read at the latest when it ends.
    await database.close()
    const read = await until(
      async () => {
        const now = await reads()
        return (now.inOrder > before.inOrder || now.byIndex > before.byIndex) && now
      },
      { timeout: 20_000, every: 50 },
    )
    expect(read).toMatchObject({ inOrder: before.inOrder })
  }, 30_000)
})
