import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import pg from 'pg'
import { startPostgresql, type PostgresqlServer } from '../support/postgresql.ts'
import { startRedis, type RedisServer } from '../support/redis.ts'
import { startStuckSidecar, type StuckSidecar } from '../support/stuck-sidecar.ts'

/**
 * The sidecar that counts stuck executions, beside a real PostgreSQL and a real Redis. In
 * `patches/waitForPostgresql.test.ts` it looks at those that a real n8n left.
 */

let redis: RedisServer
let postgresql: PostgresqlServer
let database: pg.Client
let sidecar: StuckSidecar
beforeAll(async () => {
  redis = await startRedis()
  postgresql = await startPostgresql(['-c', 'fsync=off'])
  const { port, password } = postgresql
  database = new pg.Client({ host: '127.0.0.1', port, password, user: 'n8n', database: 'n8n' })
  await database.connect()
  await database.query(`CREATE TABLE execution_entity (
    id serial, "workflowId" varchar, mode varchar, status varchar, "stoppedAt" timestamptz, "deletedAt" timestamptz,
    "waitTill" timestamptz)`)
  sidecar = await startStuckSidecar(postgresql, redis)
}, 300_000)
beforeEach(async () => {
  sidecar.forget()
  await redis.run('FLUSHALL')
  await database.query('TRUNCATE execution_entity')
  expect(await sidecar.counts(0)).toBe(true)
})
afterAll(async () => {
  await sidecar.stop()
  await database.end()
  await postgresql.stop()
  await redis.stop()
})

/** Its id. */
async function execution(status: string, mode = 'webhook'): Promise<number> {
  const { rows } = await database.query<{ id: number }>(
    'INSERT INTO execution_entity ("workflowId", mode, status) VALUES ($1, $2, $3) RETURNING id',
    ['flow', mode, status],
  )
  return rows[0]!.id
}
async function job(list: string, executionId: number): Promise<void> {
  await redis.run('HSET', `bull:jobs:${executionId}`, 'data', JSON.stringify({ executionId: String(executionId) }))
  await redis.run('LPUSH', `bull:jobs:${list}`, executionId)
}

test('counts executions without a job, whether they have begun or not, and names each once', async () => {
  const ids = [await execution('running'), await execution('new')]
  expect(await sidecar.counts(2)).toBe(true)
  ids.push(await execution('running'))
  expect(await sidecar.counts(3)).toBe(true)
  expect(sidecar.named()).toEqual(ids)
})

test('counts no execution that waits in the queue or that a worker has', async () => {
  await job('wait', await execution('new'))
  await job('paused', await execution('new'))
  await job('claiming', await execution('new'))
  await job('active', await execution('running'))
  const stuck = await execution('running')
  expect(await sidecar.counts(1)).toBe(true)
  expect(sidecar.named()).toEqual([stuck])
})

test('counts no execution that has no job by design, nor one that has ended', async () => {
  await execution('running', 'manual')
  await execution('running', 'integrated')
  await execution('success')
  await execution('waiting')
  const stuck = await execution('running')
  expect(await sidecar.counts(1)).toBe(true)
  expect(sidecar.named()).toEqual([stuck])
})

test('counts executions that should have gone on from a Wait, and not those whose time has just come', async () => {
  for (const seconds of [300, 30, -3600]) {
    const id = await execution('waiting')
    const till = `now() - interval '${seconds} seconds'`
    await database.query(`UPDATE execution_entity SET "waitTill" = ${till} WHERE id = $1`, [id])
  }
  expect(await sidecar.hasOverdueWaits(1)).toBe(true)
})

test('counts an execution no more once n8n has marked it', async () => {
  await execution('running')
  expect(await sidecar.counts(1)).toBe(true)
  await database.query("UPDATE execution_entity SET status = 'crashed'")
  expect(await sidecar.counts(0)).toBe(true)
})

test('counts executions that crashed recently', async () => {
  await execution('crashed')
  await execution('error')
  await execution('crashed')
  const ended = (minutes: number) =>
    database.query('UPDATE execution_entity SET "stoppedAt" = now() - make_interval(mins => $1)', [minutes])
  await ended(50)
  expect(await sidecar.hasCrashed(2)).toBe(true)
  await ended(70)
  expect(await sidecar.hasCrashed(0)).toBe(true)
})

test('counts the jobs that the queue has had, from the beginning when Redis has lost it', async () => {
  await redis.run('SET', 'bull:jobs:id', 7)
  expect(await sidecar.hasHadJobs(7)).toBe(true)
  await redis.run('FLUSHALL')
  expect(await sidecar.hasHadJobs(0)).toBe(true)
})

test('counts the processes that listen to the queue, also while the database does not answer', async () => {
  // ioredis would look whether Redis is ready after it has sent the subscription, which Redis then refuses.
  const listener = new Redis({ port: redis.port, host: '127.0.0.1', enableReadyCheck: false })
  await database.query('ALTER TABLE execution_entity RENAME TO another')
  try {
    await listener.subscribe('bull:jobs:progress')
    expect(await sidecar.hasListeners(1)).toBe(true)
    await listener.unsubscribe()
    expect(await sidecar.hasListeners(0)).toBe(true)
  } finally {
    listener.disconnect()
    await database.query('ALTER TABLE another RENAME TO execution_entity')
  }
})

test('has no figure while the queue is too long to look through', async () => {
  await execution('running')
  const jobs = Array.from({ length: 10_001 }, (_, job) => job)
  await redis.run('LPUSH', 'bull:jobs:wait', ...jobs)
  expect(await sidecar.counts(undefined)).toBe(true)
  expect(sidecar.log()).toContain('Expected at most 10000 jobs in the queue, got 10001.')
})

test('has no figure while Redis or PostgreSQL do not answer, and goes on afterwards', async () => {
  await execution('running')
  redis.freeze()
  try {
    expect(await sidecar.counts(undefined)).toBe(true)
  } finally {
    redis.thaw()
  }
  expect(await sidecar.counts(1)).toBe(true)

  await database.query('ALTER TABLE execution_entity RENAME TO another')
  expect(await sidecar.counts(undefined)).toBe(true)
  expect(sidecar.log()).toContain(
    'cannot count n8n_tuned_stuck_executions: relation "public.execution_entity" does not exist',
  )
  await database.query('ALTER TABLE another RENAME TO execution_entity')
  expect(await sidecar.counts(1)).toBe(true)
}, 300_000)
