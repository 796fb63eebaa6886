import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import pg from 'pg'
import { until } from '../../../loadtests/src/lib/await.ts'
import { paths } from '../../../loadtests/src/lib/paths.ts'
import { signal } from '../../../loadtests/src/lib/processes.ts'
import { startN8n, type N8n, type Worker } from '../../support/n8n.ts'
import { patchFiles } from '../../support/patch-files.ts'
import { postgresqlEnv, startPostgresql, type PostgresqlServer } from '../../support/postgresql.ts'
import { startRedis, type RedisServer } from '../../support/redis.ts'
import { startStuckSidecar } from '../../support/stuck-sidecar.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { wayTo, type Way } from '../../support/way.ts'
import { bundled } from '../../workflows/files.ts'

/** docs/contributing/n8n-loses.md: an execution that meets a PostgreSQL that is away. */

const { path } = bundled.find(({ name }) => name === 'wait-5s-webhook')!
const patient = { timeout: 60_000, every: 100 }
const folder = temporaryFolder()

/** n8n in queue mode with one worker, whose way to PostgreSQL can be closed. */
function useN8n(env: Record<string, string>) {
  let redis: RedisServer
  let postgresql: PostgresqlServer
  let way: Way
  let database: pg.Client
  let n8n: N8n
  let worker: Worker

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
        ...postgresqlEnv({ port: way.port, password }),
        DB_RECOVERY_BACKOFF_MAX_MS: '1000',
        ...env,
      },
    })
    worker = await n8n.startWorker()
  }, 300_000)
  afterAll(async () => {
    await n8n?.stop()
    await database?.end()
    way?.close()
    await postgresql?.stop()
    await redis?.stop()
  })

  const jobs = async (state: string) => Number(await redis.run('LLEN', `bull:jobs:${state}`))
  const accepted = async () => (await fetch(`${n8n.url}/webhook/load-test`)).ok
  return {
    closeTheWay: () => (way.leadTo((client) => client.destroy()), way.cut()),
    openTheWay: () => way.leadBack(),
    /** The id of a new execution. */
    async begin(): Promise<number> {
      expect(await until(accepted, { timeout: 60_000, every: 1000 })).toBe(true)
      const { rows } = await database.query<{ id: number }>('SELECT max(id) AS id FROM execution_entity')
      return rows[0]!.id
    },
    async becomes(id: number, status: string): Promise<true | undefined> {
      const find = () => database.query<{ status: string }>('SELECT status FROM execution_entity WHERE id = $1', [id])
      return until(async () => (await find()).rows[0]!.status === status, patient)
    },
    /** Main may be back before the worker is, so it asks again until an execution has succeeded. */
    async serves(): Promise<true | undefined> {
      const find = () => database.query("SELECT FROM execution_entity WHERE status = 'success'")
      const served = async () => (await accepted()) && (await find()).rows.length > 0
      return until(served, { timeout: 60_000, every: 1000 })
    },
    workerStops: () => signal(worker.pid, 'SIGSTOP'),
    workerGoesOn: () => signal(worker.pid, 'SIGCONT'),
    /** The queue has no job: neither a worker has one nor one waits for a worker. */
    nothingIsUnderWay: () => until(async () => !(await jobs('active')) && !(await jobs('wait')), patient),
    says: (words: string, times: number) => until(async () => n8n.log().split(words).length > times, patient),
    mainCrashes: () => n8n.crash(),
    watchStuckExecutions: () => startStuckSidecar(postgresql, redis),
  }
}

describe('n8n by itself', () => {
  const n8n = useN8n({})

  test('leaves an execution "running" or "new" that meets no PostgreSQL, until main starts again', async () => {
    const ending = await n8n.begin()
    expect(await n8n.becomes(ending, 'running')).toBe(true)
    n8n.closeTheWay()
    expect(await n8n.nothingIsUnderWay()).toBe(true)
    n8n.openTheWay()

    n8n.workerStops()
    const beginning = await n8n.begin()
    n8n.closeTheWay()
    n8n.workerGoesOn()
    expect(await n8n.nothingIsUnderWay()).toBe(true)
    n8n.openTheWay()

    expect(await n8n.serves()).toBe(true)
    expect(await n8n.becomes(ending, 'running')).toBe(true)
    expect(await n8n.becomes(beginning, 'new')).toBe(true)

    const sidecar = await n8n.watchStuckExecutions()
    expect(await sidecar.counts(2)).toBe(true)
    expect(sidecar.named()).toEqual([ending, beginning])
    // Main and the worker, though nothing is under way.
    expect(await sidecar.hasListeners(2)).toBe(true)
    await n8n.mainCrashes()
    expect(await n8n.becomes(ending, 'crashed')).toBe(true)
    expect(await n8n.becomes(beginning, 'crashed')).toBe(true)
    expect(await sidecar.counts(0)).toBe(true)
    await sidecar.stop()
  }, 300_000)
})

describe('n8n with the patch', () => {
  const n8n = useN8n({
    N8N_TUNED_PATCHES: 'waitForPostgresql',
    NODE_OPTIONS: `--require ${patchFiles(folder)}`,
  })

  test('writes the end of an execution once PostgreSQL is back', async () => {
    const id = await n8n.begin()
    expect(await n8n.becomes(id, 'running')).toBe(true)
    n8n.closeTheWay()
    expect(await n8n.says('Executions wait for it.', 1)).toBe(true)
    n8n.openTheWay()
    expect(await n8n.becomes(id, 'success')).toBe(true)
    expect(await n8n.says('No execution waits for PostgreSQL any more.', 1)).toBe(true)
  }, 300_000)

  test('begins an execution once PostgreSQL is back', async () => {
    n8n.workerStops()
    const id = await n8n.begin()
    n8n.closeTheWay()
    n8n.workerGoesOn()
    expect(await n8n.says('Executions wait for it.', 2)).toBe(true)
    n8n.openTheWay()
    expect(await n8n.becomes(id, 'success')).toBe(true)
  }, 300_000)
})

/** n8n's own function that writes the end of an execution, as the patch wraps it; here it does what the test says. */
const { modules } = createRequire(import.meta.url)(join(paths.chart, 'files/patches/waitForPostgresql.js'))
function hooksThat(updateExistingExecution: () => Promise<unknown>) {
  const hooks = { updateExistingExecution }
  modules['dist/execution-lifecycle/shared/shared-hook-functions.js'].wrap(hooks)
  return hooks
}

describe('a real PostgreSQL', () => {
  let server: PostgresqlServer
  const connect = async () => {
    const { port, password } = server
    const client = new pg.Client({ host: '127.0.0.1', port, password, user: 'n8n', database: 'n8n' })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  beforeAll(async () => {
    server = await startPostgresql(['-c', 'fsync=off', '-c', 'deadlock_timeout=100ms'])
    await server.run('CREATE TABLE rows AS SELECT generate_series(1, 2) AS id, 0 AS value')
  }, 300_000)
  afterAll(() => server?.stop())

  test('whose statement takes too long is not asked again', async () => {
    const client = await connect()
    await client.query('SET statement_timeout = 50')
    let asked = 0
    const hooks = hooksThat(() => (asked++, client.query('SELECT pg_sleep(5)')))
    await expect(hooks.updateExistingExecution()).rejects.toMatchObject({ code: '57014' })
    expect(asked).toBe(1)
    await client.end()
  })

  test('that ends a deadlock is not asked again', async () => {
    const [one, two] = [await connect(), await connect()]
    const change = (client: pg.Client, id: number) =>
      client.query('UPDATE rows SET value = value + 1 WHERE id = $1', [id])
    for (const client of [one, two]) await client.query('BEGIN')
    await change(one, 1)
    await change(two, 2)
    let asked = 0
    const hooks = hooksThat(() => (asked++, change(one, 2)))
    const [first, second] = await Promise.allSettled([hooks.updateExistingExecution(), change(two, 1)])
    const failed = [first, second].filter(({ status }) => status === 'rejected')
    expect(failed).toEqual([expect.objectContaining({ reason: expect.objectContaining({ code: '40P01' }) })])
    expect(asked).toBe(1)
    for (const client of [one, two]) await client.end()
  })

  test('that ends a connection is asked again', async () => {
    let client = await connect()
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    let asked = 0
    const hooks = hooksThat(async () => {
      if (asked++ > 0) client = await connect()
      return client.query(asked > 1 ? 'SELECT 1' : 'SELECT pg_sleep(60)')
    })
    const done = hooks.updateExistingExecution()
    await server.run(`SELECT pg_terminate_backend(${rows[0]!.pid})`)
    await done
    expect(asked).toBe(2)
    await client.end()
  })
})

describe('a query of an execution', () => {
  /** How often it is tried: the first try fails with this error. */
  async function tries(error: object): Promise<number> {
    let count = 0
    const hooks = hooksThat(async () => {
      if (count++ === 0) throw Object.assign(new Error('message' in error ? String(error.message) : ''), error)
    })
    await hooks.updateExistingExecution().catch(() => {})
    return count
  }

  test.concurrent.each([
    ['PostgreSQL starts', { code: '57P03' }],
    ['PostgreSQL stops', { driverError: { code: '57P01' } }],
    ['PgBouncer has no server for it', { code: '08P01' }],
    ['it is a standby', { code: '25006' }],
    ['it refuses connections', { code: 'ECONNREFUSED' }],
    ['a connection broke', { message: 'Connection terminated unexpectedly' }],
    ['n8n has no pool', { message: 'Driver not Connected' }],
    ['n8n connects again', { message: 'Timed out after 30000ms waiting for database connection recovery' }],
  ])('is tried again if %s', async (_, error) => expect(await tries(error)).toBe(2))

  test.concurrent.each([
    ['it takes longer than a statement may', { driverError: { code: '57014' } }],
    ['it takes longer than a query may', { message: 'Query read timeout' }],
    ['the disk is full', { driverError: { code: '53100' } }],
    ['it meets a deadlock', { driverError: { code: '40P01' } }],
    ['another transaction was first', { code: '40001' }],
    ['PostgreSQL refuses the data', { code: '22P05' }],
    ['a row is there already', { code: '23505' }],
    ['the password is wrong', { code: '28P01' }],
    ['n8n fails by itself', new TypeError('Cannot read properties of undefined')],
  ])('fails at once if %s', async (_, error) => expect(await tries(error)).toBe(1))

  test('fails when PostgreSQL has been away for ten minutes', async () => {
    jest.useFakeTimers()
    try {
      let count = 0
      const hooks = hooksThat(() => {
        count++
        return Promise.reject(Object.assign(new Error('starting'), { code: '57P03' }))
      })
      const failed = expect(hooks.updateExistingExecution()).rejects.toThrow('starting')
      await jest.advanceTimersByTimeAsync(602_000)
      await failed
      expect(count).toBe(602)
    } finally {
      jest.useRealTimers()
    }
  })
})
