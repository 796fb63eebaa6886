import { openDatabase } from '../../../loadtests/src/n8n/database.ts'
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
