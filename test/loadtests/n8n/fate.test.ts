import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openLedger } from '../../../loadtests/src/n8n/fate.ts'
import { judgeFate } from '../../../loadtests/src/fault/oracle.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const base = temporaryFolder()

/** n8n’s tables as far as they are asked, with what it writes of a webhook’s request. */
function databaseWith(rows: { id: number; status: string; mode?: string; data: string }[]): Record<string, string> {
  const folder = mkdtempSync(join(base, 'run-'))
  mkdirSync(join(folder, '.n8n'))
  const database = new DatabaseSync(join(folder, '.n8n/database.sqlite'))
  database.exec(
    'CREATE TABLE execution_entity (id INTEGER PRIMARY KEY, status TEXT, mode TEXT); CREATE TABLE '
      + 'execution_data (executionId INTEGER, data TEXT)',
  )
  for (const { id, status, mode = 'webhook', data } of rows) {
    database.prepare('INSERT INTO execution_entity VALUES (?, ?, ?)').run(id, status, mode)
    database.prepare('INSERT INTO execution_data VALUES (?, ?)').run(id, data)
  }
  database.close()
  return { HOME: folder }
}

const data = (id: string) => `[{"headers":"1"},{"x-n8n-tuned-request":"2"},"${id}","the rest"]`
const request = (id: string) => ({ id, began: 0, taken: 1, outcome: 'accepted' as const, status: 200 })

test('executions are found by the id that their request carried', async () => {
  const settings = databaseWith([
    { id: 1, status: 'success', data: data('ntr-ab12-0') },
    { id: 2, status: 'error', data: data('ntr-ab12-1') },
    { id: 3, status: 'error', data: '[]' },
    { id: 4, status: 'success', mode: 'integrated', data: data('ntr-ab12-1') },
  ])
  expect(await openLedger('ntr-ab12').executions(settings)).toEqual([
    { request: 'ntr-ab12-0', execution: '1', status: 'success', retry: false },
    { request: 'ntr-ab12-1', execution: '2', status: 'error', retry: false },
    // n8n replaces the data of one that it gives up.
    { request: null, execution: '3', status: 'error', retry: false },
  ])
})

test('a planted loss, a planted double and a planted stuck execution are each found', async () => {
  const settings = databaseWith([
    { id: 1, status: 'success', data: data('ntr-ab12-0') },
    { id: 2, status: 'success', data: data('ntr-ab12-0') },
    { id: 3, status: 'running', data: data('ntr-ab12-1') },
  ])
  const fate = judgeFate(
    ['ntr-ab12-0', 'ntr-ab12-1', 'ntr-ab12-2'].map(request),
    await openLedger('ntr-ab12').executions(settings),
  )
  expect(fate).toMatchObject({
    twice: [{ request: 'ntr-ab12-0', executions: ['1', '2'] }],
    stuck: [{ request: 'ntr-ab12-1', executions: ['3'] }],
    lost: [{ request: 'ntr-ab12-2', executions: [] }],
  })
})

test('an execution whose data n8n replaced is still known by what was noted before', async () => {
  const settings = databaseWith([{ id: 1, status: 'running', data: data('ntr-ab12-0') }])
  const ledger = openLedger('ntr-ab12')
  await ledger.note(settings)
  const database = new DatabaseSync(join(settings.HOME!, '.n8n/database.sqlite'))
  database.exec("UPDATE execution_data SET data = '[]'; UPDATE execution_entity SET status = 'crashed'")
  database.close()
  expect(await ledger.executions(settings)).toEqual([
    { request: 'ntr-ab12-0', execution: '1', status: 'crashed', retry: false },
  ])
})

describe('with successful executions discarded', () => {
  test('one that n8n has marked for deletion has ended well, whatever status its row has', async () => {
    const settings = databaseWith([{ id: 1, status: 'running', data: data('ntr-ab12-0') }])
    const database = new DatabaseSync(join(settings.HOME!, '.n8n/database.sqlite'))
    database.exec(
      "ALTER TABLE execution_entity ADD COLUMN deletedAt TEXT; UPDATE execution_entity SET deletedAt = '2026'",
    )
    database.close()
    expect(judgeFate([request('ntr-ab12-0')], await openLedger('ntr-ab12').executions(settings))).toMatchObject({
      once: 1,
      stuck: [],
      lost: [],
    })
  })

  test('one that was noted and whose row is gone has ended well', async () => {
    const settings = databaseWith([1, 2].map((id) => ({ id, status: 'running', data: data(`ntr-ab12-${id}`) })))
    const ledger = openLedger('ntr-ab12')
    await ledger.note(settings)
    const database = new DatabaseSync(join(settings.HOME!, '.n8n/database.sqlite'))
    database.exec('DELETE FROM execution_entity WHERE id = 2')
    database.close()
    expect(await ledger.executions(settings)).toMatchObject([
      { request: 'ntr-ab12-1', status: 'running' },
      { request: 'ntr-ab12-2', status: 'success' },
    ])
  })
})
