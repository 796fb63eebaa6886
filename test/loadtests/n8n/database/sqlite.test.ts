import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openExecutionDatabase } from '../../../../loadtests/src/n8n/database/database.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

const home = temporaryFolder()
let number = 0

/** A file as n8n has it, with these executions begun in it. */
function n8n(columns: string, ...executions: (string | null)[][]): Record<string, string> {
  const N8N_USER_FOLDER = join(home, String(number++))
  mkdirSync(join(N8N_USER_FOLDER, '.n8n'), { recursive: true })
  const database = new DatabaseSync(join(N8N_USER_FOLDER, '.n8n/database.sqlite'))
  database.exec(`CREATE TABLE execution_entity (id INTEGER PRIMARY KEY AUTOINCREMENT, ${columns})`)
  for (const values of executions)
    database.prepare(`INSERT INTO execution_entity VALUES (NULL, ${values.map(() => '?').join(', ')})`).run(...values)
  database.close()
  return { N8N_USER_FOLDER }
}

const line2 = 'status TEXT, deletedAt TEXT'

test('what n8n 2 is done with and did not keep is finished, whatever it was when it was let go', async () => {
  const database = openExecutionDatabase(
    n8n(
      line2,
      ['success', null],
      ['success', '2026-11-01'],
      ['running', '2026-11-01'],
      ['running', null],
      ['error', null],
    ),
  )
  expect(await database.look()).toEqual({ begun: 5, finished: 3, failed: ['5'], crashed: [], open: ['4'] })
})

test('executions of which no row is left were begun all the same', async () => {
  const settings = n8n(line2, ['error', null], ['success', null])
  const database = new DatabaseSync(join(settings.N8N_USER_FOLDER!, '.n8n/database.sqlite'))
  database.exec('DELETE FROM execution_entity WHERE id = 2')
  database.close()
  expect(await openExecutionDatabase(settings).look()).toEqual({
    begun: 2,
    finished: 1,
    failed: ['1'],
    crashed: [],
    open: [],
  })
})

test('n8n 0.x deletes at once, and has no column for it', async () => {
  expect(await openExecutionDatabase(n8n('status TEXT', ['success'], ['failed'])).look()).toMatchObject({
    begun: 2,
    finished: 1,
    failed: ['2'],
  })
})

describe('how long executions took', () => {
  const moments = 'status TEXT, deletedAt TEXT, createdAt TEXT, startedAt TEXT, stoppedAt TEXT'
  const at = (seconds: number) => `2026-11-20 09:00:${seconds.toFixed(3).padStart(6, '0')}`
  const execution = (accepted: number, begun: number | null, done: number | null) => [
    'success',
    null,
    at(accepted),
    begun === null ? null : at(begun),
    done === null ? null : at(done),
  ]

  test('is told of those begun after others, their wait apart from their run', async () => {
    const database = openExecutionDatabase(
      n8n(moments, execution(0, 50, 59), execution(1, 1.25, 6.25), execution(2, 2.25, 7.25)),
    )
    const { waited, ran } = (await database.times(1))!
    expect(waited.p50).toBeCloseTo(250, 0)
    expect(ran.p95).toBeCloseTo(5000, 0)
  })

  test('is unknown where many have left no row, or are not done', async () => {
    expect(await openExecutionDatabase(n8n(moments, execution(0, 1, 2), execution(0, 1, null))).times(0)).toBeNull()
  })

  test('is unknown where n8n does not note when one was accepted', async () => {
    expect(
      await openExecutionDatabase(n8n('status TEXT, startedAt TEXT, stoppedAt TEXT', ['success', at(1), at(2)])).times(
        0,
      ),
    ).toBeNull()
  })
})

describe('what each workflow finished', () => {
  const columns = 'status TEXT, deletedAt TEXT, workflowId TEXT'

  test('is told of executions begun after others, kept or let go', async () => {
    const database = openExecutionDatabase(
      n8n(
        columns,
        ['success', null, 'a'],
        ['success', null, 'a'],
        ['success', '2026-11-01', 'b'],
        ['error', null, 'b'],
        ['running', null, 'b'],
      ),
    )
    expect(await database.finishedBy(1)).toEqual({ a: 1, b: 1 })
  })

  test('is unknown where some left no row, and with n8n 0.x, which deletes at once', async () => {
    const settings = n8n(columns, ['success', null, 'a'], ['success', null, 'b'])
    const database = new DatabaseSync(join(settings.N8N_USER_FOLDER!, '.n8n/database.sqlite'))
    database.exec('DELETE FROM execution_entity WHERE id = 1')
    database.close()
    expect(await openExecutionDatabase(settings).finishedBy(0)).toBeNull()
    expect(await openExecutionDatabase(n8n('status TEXT, workflowId TEXT', ['success', 'a'])).finishedBy(0)).toBeNull()
  })
})

test('an n8n without executions has begun none', async () => {
  expect(await openExecutionDatabase(n8n(line2)).look()).toEqual({
    begun: 0,
    finished: 0,
    failed: [],
    crashed: [],
    open: [],
  })
})

test('its size is that of its pages in use, and of its executions those that n8n keeps', async () => {
  const database = openExecutionDatabase(n8n(line2, ['success', null], ['success', '2026-11-01'], ['error', null]))
  const { bytes, kept, transactions } = await database.size()
  expect(bytes % 4096).toBe(0)
  expect({ kept, transactions, empty: bytes === 0 }).toEqual({ kept: 2, transactions: null, empty: false })
})
