import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { until } from '../../../loadtests/src/lib/await.ts'
import { startCountedWork, type CountedWork } from '../../support/counted-work.ts'
import { startN8n, type N8n } from '../../support/n8n.ts'
import { everyPatch, patchFiles } from '../../support/patch-files.ts'
import { startPgBouncer, type PgBouncer } from '../../support/pgbouncer.ts'
import { postgresqlEnv, startPostgresql, type PostgresqlServer } from '../../support/postgresql.ts'
import { startRedis, type RedisServer } from '../../support/redis.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { wayTo, type Way } from '../../support/way.ts'

/** n8n in queue mode with every patch, behind a PgBouncer that gives each transaction another session. */

const folder = temporaryFolder()
const patient = { timeout: 60_000, every: 100 }
let redis: RedisServer
let postgresql: PostgresqlServer
let way: Way
let pgBouncer: PgBouncer
let work: CountedWork
let n8n: N8n

beforeAll(async () => {
  redis = await startRedis()
  postgresql = await startPostgresql(['-c', 'fsync=off'])
  const { password } = postgresql
  way = await wayTo(postgresql.port)
  pgBouncer = await startPgBouncer({ port: way.port, password })
  work = await startCountedWork(folder)
  n8n = await startN8n('2.41.1', [work.workflow], {
    env: {
      EXECUTIONS_MODE: 'queue',
      QUEUE_BULL_REDIS_HOST: '127.0.0.1',
      QUEUE_BULL_REDIS_PORT: String(redis.port),
      ...postgresqlEnv({ port: pgBouncer.port, password }),
      DB_RECOVERY_BACKOFF_MAX_MS: '1000',
      N8N_TUNED_PATCHES: everyPatch.join(),
      NODE_OPTIONS: `--require ${patchFiles(folder)}`,
    },
  })
  await n8n.startWorker()
}, 300_000)
afterAll(async () => {
  await n8n?.stop()
  await work?.stop()
  await pgBouncer?.stop()
  way?.close()
  await postgresql?.stop()
  await redis?.stop()
})

const accepts = async (request: string) => (await fetch(`${n8n.url}/webhook/count?request=${request}`)).ok
/** The worker says it this often, since it began. */
const hasSaid = (words: string, times: number) => until(async () => n8n.log().split(words).length > times, patient)
const begins = (request: string) => until(async () => work.times.has(request), patient)
const jobs = async (state: string) => Number(await redis.run('LLEN', `bull:jobs:${state}`))
const nothingIsUnderWay = () => until(async () => !(await jobs('active')) && !(await jobs('wait')), patient)
const statuses = async () =>
  (await postgresql.run('SELECT status FROM execution_entity ORDER BY id')).map(({ status }) => status)
const allSucceed = (count: number) =>
  until(async () => (await statuses()).join() === Array(count).fill('success').join(), patient)

test('every patch is in force, and n8n executes', async () => {
  expect(n8n.log()).toContain(`patches applied: ${everyPatch.join(', ')}. Skipped: none.`)
  for (const request of ['one', 'two', 'three']) expect(await accepts(request)).toBe(true)
  expect(await allSucceed(3)).toBe(true)
}, 300_000)

test('an execution ends once PgBouncer is back', async () => {
  work.hold()
  expect(await accepts('four')).toBe(true)
  expect(await begins('four')).toBe(true)
  await pgBouncer.kill()
  work.goOn()
  expect(await hasSaid('Executions wait for it.', 1)).toBe(true)
  await pgBouncer.restart()
  expect(await allSucceed(4)).toBe(true)
  expect(await hasSaid('No execution waits for PostgreSQL any more.', 1)).toBe(true)
}, 300_000)

test('an execution ends once the server behind PgBouncer is back', async () => {
  expect(await until(() => accepts('five'), patient)).toBe(true)
  work.hold()
  expect(await accepts('six')).toBe(true)
  expect(await begins('six')).toBe(true)
  way.leadTo((client) => client.destroy())
  way.cut()
  work.goOn()
  expect(await hasSaid('Executions wait for it.', 2)).toBe(true)
  way.leadBack()
  expect(await allSucceed(6)).toBe(true)
}, 300_000)

test('nothing is held, and nothing ran twice', async () => {
  expect(await nothingIsUnderWay()).toBe(true)
  expect([...new Set(work.times.values())]).toEqual([1])
}, 300_000)
