import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import pg from 'pg'
import { until } from '../../loadtests/src/lib/await.ts'
import { chartScript } from '../support/chart-script.ts'
import { postgresqlEnv, startPostgresql, type PostgresqlServer } from '../support/postgresql.ts'
import { runtime } from '../support/runtime.ts'

/** The sidecar that makes the index of the editor's list, beside a real PostgreSQL. */

let postgresql: PostgresqlServer
let database: pg.Client
const children: ChildProcess[] = []
const connection = () => {
  const { port, password } = postgresql
  return new pg.Client({ host: '127.0.0.1', port, password, user: 'n8n', database: 'n8n' })
}
beforeAll(async () => {
  postgresql = await startPostgresql(['-c', 'fsync=off'])
  database = connection()
  await database.connect()
  // Later than any migration that n8n knows.
  await database.query(`CREATE TABLE migrations ("timestamp" bigint); INSERT INTO migrations VALUES (9999999999999)`)
}, 300_000)
beforeEach(async () => {
  await database.query(`DROP TABLE IF EXISTS execution_entity;
    CREATE TABLE execution_entity (id serial PRIMARY KEY, "createdAt" timestamptz DEFAULT now(),
      "startedAt" timestamptz, "deletedAt" timestamptz);
    INSERT INTO execution_entity ("startedAt") SELECT now() - n * interval '1 s' FROM generate_series(1, 20000) AS n;
    ANALYZE execution_entity`)
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
})
afterAll(async () => {
  await database.end()
  await postgresql.stop()
})

/** Returns what its log says. */
function start(wanted: boolean): () => string {
  const { node, folder } = runtime('2.41.1')
  const child = spawn(node, ['-e', chartScript('database.js', 'indexes.js')], {
    env: {
      PATH: `${join(folder, 'node_modules/.bin')}:/usr/bin:/bin`,
      ...postgresqlEnv(postgresql),
      DB_POSTGRESDB_SCHEMA: 'public',
      INDEX_LIST: String(wanted),
      LOOK_SECONDS: '0.1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  let log = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (log += text))
  return () => log
}
const name = 'n8n_tuned_execution_list'
async function isThere(): Promise<boolean | undefined> {
  const { rows } = await database.query<{ valid: boolean }>(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  )
  return rows[0]?.valid
}
const becomes = (there: boolean | undefined) =>
  until(async () => (await isThere()) === there, { timeout: 30_000, every: 50 })
const says = (log: () => string, text: string) =>
  until(async () => log().includes(text), { timeout: 30_000, every: 50 })

/** As n8n 2.41 orders it. */
const list = `EXPLAIN SELECT * FROM execution_entity AS execution WHERE "deletedAt" IS NULL
  ORDER BY COALESCE(execution."startedAt", execution."createdAt") DESC, execution.id DESC LIMIT 10`
const plan = async () =>
  (await database.query<{ 'QUERY PLAN': string }>(list)).rows.map((row) => row['QUERY PLAN']).join('\n')

test('makes an index that the list is read from, says so, and takes it away again', async () => {
  expect(await plan()).not.toContain(name)
  const log = start(true)
  expect(await becomes(true)).toBe(true)
  expect(await says(log, `index ${name} on "public"."execution_entity" made in`)).toBe(true)
  expect(await plan()).toContain(`Index Scan using ${name}`)
  children.splice(0).forEach((child) => child.kill())
  const other = start(false)
  expect(await becomes(undefined)).toBe(true)
  expect(await says(other, 'was taken away')).toBe(true)
})

test('does not keep n8n from writing meanwhile', async () => {
  const other = connection()
  await other.connect()
  // A transaction that is open makes it wait; it does not make others wait.
  await other.query('BEGIN; INSERT INTO execution_entity DEFAULT VALUES')
  start(true)
  const began = async () =>
    (await database.query("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX%' AND state = 'active'"))
      .rowCount === 1
  expect(await until(began, { timeout: 30_000, every: 50 })).toBe(true)
  await database.query("SET lock_timeout = '5s'; INSERT INTO execution_entity DEFAULT VALUES")
  await other.query('COMMIT')
  expect(await becomes(true)).toBe(true)
  await other.end()
})

test('makes it again where a migration took it away, and says so', async () => {
  const log = start(true)
  expect(await becomes(true)).toBe(true)
  expect(await says(log, 'made in')).toBe(true)
  await database.query(`DROP INDEX ${name}`)
  expect(await says(log, `index ${name} is gone`)).toBe(true)
  expect(await becomes(true)).toBe(true)
})

test('takes the place of one that was interrupted', async () => {
  await database.query(`CREATE INDEX ${name} ON execution_entity (id)`)
  await database.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = '${name}'::regclass`)
  start(true)
  expect(await becomes(true)).toBe(true)
  expect(await plan()).toContain(name)
})

test('waits until n8n has migrated, and leaves a table without that list alone', async () => {
  await database.query('UPDATE migrations SET "timestamp" = 1')
  const log = start(true)
  expect(await says(log, 'waiting for n8n to migrate its database')).toBe(true)
  await database.query('ALTER TABLE execution_entity DROP COLUMN "createdAt"')
  await database.query('UPDATE migrations SET "timestamp" = 9999999999999')
  expect(await says(log, 'has no column createdAt')).toBe(true)
  expect(await isThere()).toBeUndefined()
})
