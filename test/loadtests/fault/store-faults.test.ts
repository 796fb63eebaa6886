import { once } from 'node:events'
import { Redis } from 'ioredis'
import pg from 'pg'
import { connectionTo } from '../../../loadtests/src/n8n/database.ts'
import { injectIntoPostgresql, injectIntoRedis } from '../../../loadtests/src/fault/store-faults.ts'
import { until } from '../../../loadtests/src/lib/await.ts'
import { startPostgresql, type PostgresqlServer } from '../../support/postgresql.ts'
import { startRedis, type RedisServer } from '../../support/redis.ts'

let redis: RedisServer
let postgresql: PostgresqlServer
beforeAll(async () => {
  redis = await startRedis()
  postgresql = await startPostgresql(['-c', 'max_connections=12'])
}, 60_000)
afterAll(() => Promise.all([redis.stop(), postgresql.stop()]))

const queue = () => ({
  EXECUTIONS_MODE: 'queue',
  QUEUE_BULL_REDIS_HOST: '127.0.0.1',
  QUEUE_BULL_REDIS_PORT: String(redis.port),
})
const database = () => ({
  DB_TYPE: 'postgresdb',
  DB_POSTGRESDB_HOST: '127.0.0.1',
  DB_POSTGRESDB_PORT: String(postgresql.port),
  DB_POSTGRESDB_USER: 'n8n',
  DB_POSTGRESDB_PASSWORD: postgresql.password,
  DB_POSTGRESDB_DATABASE: 'n8n',
})
const write = () => redis.run('SET', 'key', 'value')

test.each(['full', 'read-only'] as const)('a Redis that is %s refuses writes until the fault ends', async (how) => {
  const recover = await injectIntoRedis(how, 5, queue())
  await expect(write()).rejects.toThrow(/OOM|READONLY/)
  await recover()
  expect(await write()).toBe('OK')
})

test('a full Redis gets its own limit and policy back, and refuses in between, whatever its policy', async () => {
  const configured = async (name: string) => ((await redis.run('CONFIG', 'GET', name)) as string[])[1]
  await redis.run('CONFIG', 'SET', 'maxmemory', 64 * 2 ** 20)
  await redis.run('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
  await redis.run('SET', 'kept', 'value')
  const recover = await injectIntoRedis('full', 5, queue())
  await expect(write()).rejects.toThrow('OOM')
  await recover()
  expect(await redis.run('GET', 'kept')).toBe('value')
  expect([await configured('maxmemory'), await configured('maxmemory-policy')]).toEqual([
    String(64 * 2 ** 20),
    'allkeys-lru',
  ])
  await redis.run('CONFIG', 'SET', 'maxmemory', 0)
  await redis.run('CONFIG', 'SET', 'maxmemory-policy', 'noeviction')
})

test('a Redis that was a replica is one of the same master again', async () => {
  await redis.run('REPLICAOF', '127.0.0.1', '2')
  await (
    await injectIntoRedis('read-only', 5, queue())
  )()
  expect(((await redis.run('ROLE')) as unknown[]).slice(0, 3)).toEqual(['slave', '127.0.0.1', 2])
  await redis.run('REPLICAOF', 'NO', 'ONE')
})

test('a Redis that is paused answers when the pause is over', async () => {
  const recover = await injectIntoRedis('pause', 1, queue())
  const asked = Date.now()
  await write()
  expect(Date.now() - asked).toBeGreaterThan(500)
  await recover()
})

test('a Redis whose connections are cut ends those that subscribe and wait, and takes new ones', async () => {
  // Without ioredis' own question, which comes after the subscription and is then refused.
  const way = { enableReadyCheck: false, retryStrategy: () => null }
  const connection = () => new Redis({ host: '127.0.0.1', port: redis.port, ...way })
  const [subscriber, waiting] = [connection(), connection()]
  await subscriber.subscribe('channel')
  const cut = [once(subscriber, 'end'), expect(waiting.blpop('nothing', 0)).rejects.toThrow('closed')]
  const recover = await injectIntoRedis('cut', 0, queue())
  await Promise.all(cut)
  expect(await write()).toBe('OK')
  await recover()
})

test('a Redis that was emptied has nothing left', async () => {
  await write()
  await (
    await injectIntoRedis('empty', 0, queue())
  )()
  expect(await redis.run('DBSIZE')).toBe(0)
})

const connect = async () => {
  const client = new pg.Client(connectionTo(database()))
  client.on('error', () => {})
  await client.connect()
  return client
}

test('a PostgreSQL whose connections are cut takes new ones', async () => {
  const client = await connect()
  const recover = await injectIntoPostgresql('cut', database())
  await expect(client.query('SELECT 1')).rejects.toThrow(/terminat|not queryable/)
  await recover()
  await (await connect()).end()
})

test('a read-only PostgreSQL refuses writes, also on open connections, until the fault ends', async () => {
  const client = await connect()
  const writes = () =>
    client.query('CREATE TABLE IF NOT EXISTS written ()').then(
      () => true,
      ({ code }) => code,
    )
  const recover = await injectIntoPostgresql('read-only', database())
  expect(await until(async () => (await writes()) === '25006', { timeout: 5000, every: 50 })).toBe(true)
  await recover()
  expect(await until(async () => (await writes()) === true, { timeout: 5000, every: 50 })).toBe(true)
  await client.end()
})

test.each(['on', 'off'])('what ALTER SYSTEM had set before stays set: %s', async (before) => {
  const superuser = await connect()
  const inFile = async () =>
    (await superuser.query("SELECT setting FROM pg_file_settings WHERE name = 'default_transaction_read_only'")).rows
  await superuser.query(`ALTER SYSTEM SET default_transaction_read_only = ${before}`)
  await (
    await injectIntoPostgresql('read-only', database())
  )()
  expect(await inFile()).toEqual([{ setting: before }])
  await superuser.query('ALTER SYSTEM RESET default_transaction_read_only')
  await (
    await injectIntoPostgresql('read-only', database())
  )()
  expect(await inFile()).toEqual([])
  await superuser.end()
})

test('only a lack of connections is a full PostgreSQL: any other error is told', async () => {
  const wrong = { ...database(), DB_POSTGRESDB_PASSWORD: 'other' }
  await expect(injectIntoPostgresql('fill', wrong)).rejects.toMatchObject({ code: '28P01' })
})

test('a PostgreSQL without a connection left refuses until the fault ends', async () => {
  const recover = await injectIntoPostgresql('fill', database())
  await expect(connect()).rejects.toThrow(/too many|reserved|remaining/)
  await recover()
  await (await connect()).end()
})

test('a Redis that cannot be reached ends the fault before it begins', async () => {
  const nowhere = { ...queue(), QUEUE_BULL_REDIS_PORT: '1' }
  await expect(injectIntoRedis('empty', 0, nowhere, 0.1)).rejects.toMatchObject({ code: 'redis-unanswered' })
})
