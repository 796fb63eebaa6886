import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openBooks } from '../../../../loadtests/src/observe/books/books.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

const home = temporaryFolder()
let number = 0

/** A file as n8n has it, with these executions begun in it. */
function n8n(columns: string, ...executions: (string | null)[][]): Record<string, string> {
  const N8N_USER_FOLDER = join(home, String(number++))
  mkdirSync(join(N8N_USER_FOLDER, '.n8n'), { recursive: true })
  const database = new DatabaseSync(join(N8N_USER_FOLDER, '.n8n/database.sqlite'))
  database.exec(`CREATE TABLE execution_entity (id INTEGER PRIMARY KEY AUTOINCREMENT, ${columns})`)
  for (const values of executions) database.prepare(`INSERT INTO execution_entity VALUES (NULL, ${values.map(() => '?').join(', ')})`).run(...values)
  database.close()
  return { N8N_USER_FOLDER }
}

const line2 = 'status TEXT, deletedAt TEXT'

test('what n8n 2 is done with and did not keep is finished, whatever it was when it was let go', async () => {
  const books = openBooks(n8n(line2, ['success', null], ['success', '2026-11-01'], ['running', '2026-11-01'], ['running', null], ['error', null]))
  expect(await books.since(0)).toEqual({ begun: 5, finished: 3, failed: ['5'], crashed: [], open: ['4'] })
})

test('only what came after counts, also when nothing of it was kept', async () => {
  const settings = n8n(line2, ['error', null], ['crashed', null])
  const books = openBooks(settings)
  const newest = await books.newest()
  const database = new DatabaseSync(join(settings.N8N_USER_FOLDER!, '.n8n/database.sqlite'))
  database.exec("INSERT INTO execution_entity VALUES (NULL, 'success', NULL); DELETE FROM execution_entity WHERE id > 2")
  database.close()
  expect(await books.since(newest)).toEqual({ begun: 1, finished: 1, failed: [], crashed: [], open: [] })
})

test('n8n 0.x deletes at once, and has no column for it', async () => {
  expect(await openBooks(n8n('status TEXT', ['success'], ['failed'])).since(0)).toMatchObject({ begun: 2, finished: 1, failed: ['2'] })
})

test('an n8n without executions has begun none', async () => {
  expect(await openBooks(n8n(line2)).newest()).toBe(0)
})
