import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { watchExecutions } from '../../../loadtests/src/fault/watch-executions.ts'
import { refusalOf } from '../../support/refusal.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const home = temporaryFolder()
const { signal } = new AbortController()
const soon = { quiet: 300, every: 20 }

/** Makes n8n’s database, with one execution that carries a request’s id. */
function makeDatabase(): void {
  mkdirSync(join(home, '.n8n'))
  const database = new DatabaseSync(join(home, '.n8n/database.sqlite'))
  database.exec(`
    CREATE TABLE execution_entity (id INTEGER PRIMARY KEY, status TEXT, mode TEXT);
    CREATE TABLE execution_data (executionId INTEGER, data TEXT);
    INSERT INTO execution_entity VALUES (1, 'success', 'webhook');
    INSERT INTO execution_data VALUES (1, '["ntr-ab12-0"]')`)
  database.close()
}

test('a database that is not back at the first questions is asked again', async () => {
  const watch = watchExecutions('ntr-ab12', { settings: { HOME: home } }, signal, soon)
  const settled = watch.settled()
  setTimeout(makeDatabase, 3 * soon.every)
  expect(await settled).toMatchObject([{ request: 'ntr-ab12-0', status: 'success' }])
})

test('requests are not called lost where the database never answers', async () => {
  const watch = watchExecutions('ntr-ab12', { settings: null }, signal, soon)
  expect(await refusalOf(() => watch.settled())).toMatchObject({ code: 'executions-unseen', exit: 4 })
})

test('requests are not called lost where the database has none of them', async () => {
  const watch = watchExecutions('ntr-other', { settings: { HOME: home } }, signal, soon)
  const refusal = await refusalOf(() => watch.settled())
  expect(refusal.message).toContain('none of their executions is in it')
})
