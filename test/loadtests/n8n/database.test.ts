import pg from 'pg'
import { until } from '../../../loadtests/src/lib/await.ts'
import { openDatabase } from '../../../loadtests/src/n8n/database.ts'
import { postgresqlLogin } from '../../../loadtests/src/n8n/settings.ts'
import { postgresqlEnv, startPostgresql, type PostgresqlServer } from '../../support/postgresql.ts'

let server: PostgresqlServer
beforeAll(async () => void (server = await startPostgresql()))
afterAll(() => server.stop())

test('a look at PostgreSQL counts its transactions and what it wrote to its journal', async () => {
  const database = openDatabase(postgresqlEnv(server))
  const before = await database.activity!()
  await server.run('CREATE TABLE rows AS SELECT repeat(md5(n::text), 10) FROM generate_series(1, 2000) AS n')
  const after = await database.activity!()
  await database.close()
  expect(after.transactions).toBeGreaterThanOrEqual(before.transactions)
  expect(after.written! - before.written!).toBeGreaterThan(500_000)
})

test('a look counts the connections that read the editor’s list of executions', async () => {
  const settings = postgresqlEnv(server)
  const database = openDatabase(settings)
  const other = new pg.Client(postgresqlLogin(settings))
  await other.connect()
  try {
    expect(await database.activity!()).toMatchObject({ active: 0, lists: 0 })
    // As n8n begins it; PostgreSQL shows the first kilobyte.
    const list = other.query('SELECT "e".*, pg_sleep(60) AS "annotation_tags_id" FROM (SELECT 1) "e"').catch(() => {})
    const seen = async () => (await database.activity!()).lists === 1
    expect(await until(seen, { timeout: 20_000, every: 20 })).toBe(true)
    await server.run(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid()`)
    await list
  } finally {
    await other.end()
    await database.close()
  }
})
