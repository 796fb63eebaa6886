import { afterAll, beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { until } from '../../loadtests/src/support/await.ts'
import { startN8n, type N8n } from '../support/n8n.ts'
import { startPostgresql, type PostgresqlServer } from '../support/postgresql.ts'
import { startRedis, type RedisServer } from '../support/redis.ts'
import { wayTo, type Way } from '../support/way.ts'
import { bundled } from '../workflows/files.ts'

/** docs/resilience.md, "What n8n leaves to you": n8n tries once to write the end of an execution. */

const { path } = bundled.find(({ name }) => name === 'wait-5s-webhook')!
const patient = { timeout: 60_000, every: 100 }

let redis: RedisServer
let postgresql: PostgresqlServer
let way: Way
let database: pg.Client
let n8n: N8n

beforeAll(async () => {
  redis = await startRedis()
  postgresql = await startPostgresql(['-c', 'fsync=off'])
  way = await wayTo(postgresql.port)
  const { port, password } = postgresql
  database = new pg.Client({ host: '127.0.0.1', port, password, user: 'n8n', database: 'n8n' })
  await database.connect()
  n8n = await startN8n('2.41.1', [path], {
    env: {
      EXECUTIONS_MODE: 'queue',
      QUEUE_BULL_REDIS_HOST: '127.0.0.1',
      QUEUE_BULL_REDIS_PORT: String(redis.port),
      DB_TYPE: 'postgresdb',
      DB_POSTGRESDB_HOST: '127.0.0.1',
      DB_POSTGRESDB_PORT: String(way.port),
      DB_POSTGRESDB_DATABASE: 'n8n',
      DB_POSTGRESDB_USER: 'n8n',
      DB_POSTGRESDB_PASSWORD: password,
    },
  })
  await n8n.startWorker()
}, 240_000)
afterAll(async () => {
  await n8n?.stop()
  await database?.end()
  way?.close()
  await postgresql?.stop()
  await redis?.stop()
})

const accepted = async () => (await fetch(`${n8n.url}/webhook/load-test`)).ok
const underWay = async () => Number(await redis.run('LLEN', 'bull:jobs:active'))

/** Every execution's, in order. */
async function statuses(): Promise<string[]> {
  const { rows } = await database.query<{ status: string }>('SELECT status FROM execution_entity ORDER BY id')
  return rows.map(({ status }) => status)
}
const first = async () => (await statuses())[0]

test('an execution that ends while PostgreSQL is away stays "running", until main starts again', async () => {
  expect(await accepted()).toBe(true)
  expect(await until(async () => (await first()) === 'running', patient)).toBe(true)

  way.leadTo((client) => client.destroy())
  way.cut()
  expect(await until(async () => (await underWay()) === 0, patient)).toBe(true)
  way.leadBack()

  // Main may be back before the worker is, so a later execution shows that both are.
  const serves = async () => (await accepted()) && (await statuses()).includes('success')
  expect(await until(serves, { timeout: 60_000, every: 1000 })).toBe(true)
  expect(await first()).toBe('running')

  await n8n.crash()
  expect(await until(async () => (await first()) === 'crashed', patient)).toBe(true)
}, 240_000)
