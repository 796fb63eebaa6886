import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { watchExecutions } from '../../../loadtests/src/fault/watch-executions.ts'
import { refusalOf } from '../../support/refusal.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const home = temporaryFolder()
const { signal } = new AbortController()
const soon = { quiet: 300, every: 20 }

/** n8n’s database with one execution, which carries a request’s id. */
function n8n(): Record<string, string> {
  mkdirSync(join(home, '.n8n'))
  const database = new DatabaseSync(join(home, '.n8n/database.sqlite'))
  database.exec(`
    CREATE TABLE execution_entity (id INTEGER PRIMARY KEY, status TEXT, mode TEXT);
    CREATE TABLE execution_data (executionId INTEGER, data TEXT);
    INSERT INTO execution_entity VALUES (1, 'success', 'webhook');
    INSERT INTO execution_data VALUES (1, '["ntr-ab12-0"]')`)
  database.close()
  return { HOME: home }
}

test('a database that is not back at the first questions is asked again', async () => {
  const settings = n8n()
  let asked = 0
  const settingsNow = async () => (++asked < 3 ? null : settings)
  const watch = watchExecutions('ntr-ab12', { settings: { HOME: join(home, 'gone') }, settingsNow }, signal, soon)
  expect(await watch.settled()).toMatchObject([{ request: 'ntr-ab12-0', status: 'success' }])
})

test('requests are not called lost where the database never answers', async () => {
  const watch = watchExecutions('ntr-ab12', { settings: null, settingsNow: async () => null }, signal, soon)
  expect(await refusalOf(() => watch.settled())).toMatchObject({ code: 'executions-unseen', exit: 4 })
})
