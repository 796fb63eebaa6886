import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eachWay } from '../../support/each-way.ts'
import { startPostgresql, type PostgresqlServer } from '../../support/postgresql.ts'

/** docs/n8n-loses.md: n8n's own way to migrate PostgreSQL, with two migrations of ours. */

let postgresql: PostgresqlServer
beforeAll(async () => {
  postgresql = await startPostgresql()
})
afterAll(() => postgresql.stop())

/**
 * The first migration changes the table of executions. While the second one runs, an old process reads that table; then
 * the second one does `then`. Reports how often each ran, what the old process got, and whether the change stayed.
 */
const migrate = (processes: number, poolSize: number, then: string) => `
  process.env.DB_TYPE = 'postgresdb'
  require('reflect-metadata')
  const { Container } = require('@n8n/di')
  const { DbConnection, DbLockService } = require('@n8n/db')
  const { DataSource } = require('@n8n/typeorm')
  const ran = []
  let old, read
  class First1700000000001 {
    async up({ queryRunner }) {
      ran.push('first')
      await queryRunner.query('ALTER TABLE executions ADD COLUMN more int')
    }
  }
  class Second1700000000002 {
    async up() {
      ran.push('second')
      read = await old.query('SELECT * FROM executions').then(() => 'answered', ({ message }) => message)
      ${then}
    }
  }
  const options = {
    type: 'postgres',
    host: '127.0.0.1',
    port: ${postgresql.port},
    username: 'n8n',
    password: '${postgresql.password}',
    database: 'n8n',
    logger: new Proxy({}, { get: () => () => {} }), // Says nothing.
  }
  const start = (more) => new DataSource({ ...options, ...more }).initialize()
  const n8n = async () => {
    const own = { ...options, poolSize: ${poolSize}, migrations: [First1700000000001, Second1700000000002] }
    const dataSource = await start(own)
    const connection = Object.create(DbConnection.prototype)
    const connectionOptions = { getOptions: () => own }
    Object.assign(connection, { dataSource, connectionOptions, connectionState: {}, logger: { info() {} } })
    Container.set(DbLockService, new DbLockService(dataSource, { type: 'postgresdb' }))
    const error = await connection.migrate().then(() => null, ({ message }) => message)
    await dataSource.destroy()
    return error
  }
  const main = async () => {
    process.env.NODE_ENV = 'test' // n8n's migrations then log nothing.
    old = await start({ extra: { lock_timeout: 200 } })
    await old.query('DROP TABLE IF EXISTS migrations, executions')
    await old.query('CREATE TABLE executions (id int)')
    const [error] = await Promise.all(Array.from({ length: ${processes} }, n8n))
    const [row] = await old.query(
      "SELECT count(*) FROM information_schema.columns WHERE table_name = 'executions' AND column_name = 'more'",
    )
    await old.destroy()
    console.log(JSON.stringify({ ran, read, error, stayed: row.count === '1' }))
  }
  main()`

const see = ({ processes = 1, poolSize = 2, then = '' } = {}) =>
  eachWay('2.41.1', 'commitEachMigration', migrate(processes, poolSize, then))

test('old processes wait for a table until the last migration ends, and with the patch they do not', () => {
  const { plain, patched } = see()
  expect(plain).toMatchObject({ read: 'canceling statement due to lock timeout', stayed: true })
  expect(patched).toMatchObject({ read: 'answered', stayed: true })
})

test('a migration that fails takes those before it along, and with the patch they stay', () => {
  const { plain, patched } = see({ then: "throw new Error('no room')" })
  expect(plain).toMatchObject({ error: 'no room', stayed: false })
  expect(patched).toMatchObject({ error: 'no room', stayed: true })
})

test('with the patch, as without it, one process migrates', () => {
  const { plain, patched } = see({ processes: 3 })
  for (const seen of [plain, patched]) expect(seen).toMatchObject({ ran: ['first', 'second'], error: null })
})

test('with the patch and a pool of one connection, n8n migrates as it does without the patch', () => {
  const { plain, patched } = see({ poolSize: 1 })
  expect(patched).toEqual(plain)
})
