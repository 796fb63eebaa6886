import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { DataTable } from '../../../loadtests/src/n8n/data-tables.ts'
import { createDataTables } from '../../../loadtests/src/n8n/data-tables.ts'
import { startPostgresql, type PostgresqlServer } from '../../support/postgresql.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** With real databases. That n8n works with such tables is tested with n8n: test/e2e/workload.test.ts. */

const N8N_USER_FOLDER = temporaryFolder()

const ofN8n = `
  CREATE TABLE lab_project (id TEXT, "createdAt" INTEGER);
  INSERT INTO lab_project VALUES ('owner', 1), ('later', 2);
  CREATE TABLE lab_data_table (id TEXT, name TEXT, "projectId" TEXT);
  CREATE TABLE lab_data_table_column (id TEXT, name TEXT, type TEXT, "index" INTEGER, "dataTableId" TEXT)`

const prices: DataTable = {
  id: 'p1',
  name: 'prices',
  columns: [
    { name: 'item', type: 'string' },
    { name: 'price', type: 'number' },
    { name: 'sold', type: 'boolean' },
    { name: 'since', type: 'date' },
  ],
  rows: [{ item: 'book', price: 12.5, sold: true, since: '2026-01-02T03:04:05.678+01:00' }, { item: null }, {}],
}

type Rows = Record<string, unknown>[]

const questions = {
  tables: 'SELECT id, name, "projectId" FROM lab_data_table',
  columns: 'SELECT name, type, "index", "dataTableId" FROM lab_data_table_column ORDER BY "index"',
  rows: 'SELECT id, item, price, sold, since FROM lab_data_table_user_p1 ORDER BY id',
}

const entries = {
  tables: [{ id: 'p1', name: 'prices', projectId: 'owner' }],
  columns: prices.columns.map((column, index) => ({ ...column, index, dataTableId: 'p1' })),
}

const empty = { item: null, price: null, sold: null, since: null }

test('SQLite gets a table as n8n writes it', async () => {
  mkdirSync(join(N8N_USER_FOLDER, '.n8n'))
  const database = new DatabaseSync(join(N8N_USER_FOLDER, '.n8n/database.sqlite'))
  database.exec(ofN8n)
  await createDataTables({ N8N_USER_FOLDER, DB_TABLE_PREFIX: 'lab_' }, [prices])
  const ask = (sql: string): Rows =>
    database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }))
  expect({ tables: ask(questions.tables), columns: ask(questions.columns) }).toEqual(entries)
  expect(ask(questions.rows)).toEqual([
    { id: 1, item: 'book', price: 12.5, sold: 1, since: '2026-01-02 02:04:05.678' },
    { id: 2, ...empty },
    { id: 3, ...empty },
  ])
  database.close()
})

describe('PostgreSQL', () => {
  let server: PostgresqlServer
  beforeAll(async () => void (server = await startPostgresql()), 90_000)
  afterAll(() => server.stop())

  test('gets a table as n8n writes it', async () => {
    const settings = {
      DB_TYPE: 'postgresdb',
      DB_POSTGRESDB_HOST: '127.0.0.1',
      DB_POSTGRESDB_PORT: String(server.port),
      DB_POSTGRESDB_USER: 'n8n',
      DB_POSTGRESDB_PASSWORD: server.password,
      DB_POSTGRESDB_DATABASE: 'n8n',
      DB_TABLE_PREFIX: 'lab_',
    }
    const client = new pg.Client({
      host: '127.0.0.1',
      port: server.port,
      user: 'n8n',
      password: server.password,
      database: 'n8n',
    })
    await client.connect()
    await client.query(ofN8n)
    await createDataTables(settings, [prices])
    const ask = async (sql: string): Promise<Rows> => (await client.query(sql)).rows
    expect({ tables: await ask(questions.tables), columns: await ask(questions.columns) }).toEqual(entries)
    expect(await ask(questions.rows)).toEqual([
      { id: 1, item: 'book', price: 12.5, sold: true, since: new Date('2026-01-02T02:04:05.678Z') },
      { id: 2, ...empty },
      { id: 3, ...empty },
    ])
    await client.end()
  })
})
