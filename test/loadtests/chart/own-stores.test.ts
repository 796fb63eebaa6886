import { refuseStoresOfOthers, storesOfOthers } from '../../../loadtests/src/chart/own-stores.ts'
import type { Plan } from '../../../loadtests/src/chart/plan.ts'
import { render } from '../../../loadtests/src/chart/render.ts'
import { refusalOf } from '../../support/refusal.ts'
import type { Values } from '../../../loadtests/src/model/experiment.ts'

const queue = { executions: { mode: 'queue' }, database: { type: 'embedded' } }
const external = {
  database: { type: 'external', host: 'db.example.com', user: 'n8n', password: { value: 'sesame' } },
  encryptionKey: { generate: true },
}
const named = (plan: Plan) => storesOfOthers(plan).map(({ variable, address }) => `${variable} ${address}`)

test('the stores that the chart starts are its own, and SQLite is none', async () => {
  expect(named(await render({}))).toEqual([])
  expect(named(await render(queue))).toEqual([])
})

test.each<[string, Values, string[]]>([
  ['an external PostgreSQL', external, ['DB_POSTGRESDB_HOST db.example.com']],
  [
    'an external Redis',
    { ...queue, redis: { type: 'external', host: 'redis.example.com' } },
    ['QUEUE_BULL_REDIS_HOST redis.example.com'],
  ],
  [
    'a Redis cluster',
    { ...queue, redis: { type: 'external', clusterNodes: ['a.example.com:6379', 'b.example.com:6379'] } },
    ['QUEUE_BULL_REDIS_CLUSTER_NODES a.example.com:6379', 'QUEUE_BULL_REDIS_CLUSTER_NODES b.example.com:6379'],
  ],
])('%s is somebody else’s', async (_, values, expected) => {
  expect(named(await render(values))).toEqual(expected)
})

/** With these variables in place of main's own, whatever the chart would say of them. */
const withEnv = (plan: Plan, env: Record<string, string>): Plan => ({
  ...plan,
  workloads: plan.workloads.map((workload) => ({
    ...workload,
    containers: workload.containers.map((one) => (workload.component === 'main' ? { ...one, env } : one)),
  })),
})

test.each<[string, Record<string, string>, string[]]>([
  ['the machine’s own PostgreSQL', { DB_POSTGRESDB_HOST: '127.0.0.1' }, ['DB_POSTGRESDB_HOST 127.0.0.1']],
  [
    'what a file names',
    { DB_POSTGRESDB_HOST_FILE: '/run/secrets/host' },
    ['DB_POSTGRESDB_HOST_FILE /run/secrets/host'],
  ],
  ['a PostgreSQL that nothing names', { DB_TYPE: 'postgresdb' }, ['DB_TYPE localhost']],
  ['a Redis that nothing names', { EXECUTIONS_MODE: 'queue' }, ['EXECUTIONS_MODE localhost']],
  ['a MySQL', { DB_TYPE: 'mysqldb', DB_MYSQLDB_HOST: 'db' }, ['DB_MYSQLDB_HOST db']],
  ['what a URL names', { STATE: 'rediss://:secret@cache:6380/1' }, ['STATE cache:6380']],
  ['a cache in a Redis that nothing names', { N8N_CACHE_BACKEND: 'redis' }, ['N8N_CACHE_BACKEND localhost']],
  ['a bucket', { N8N_EXTERNAL_STORAGE_S3_HOST: 's3.example.com' }, ['N8N_EXTERNAL_STORAGE_S3_HOST s3.example.com']],
])('%s is somebody else’s', async (_, env, expected) => {
  expect(named(withEnv(await render(queue), env))).toEqual(expected)
})

test('a plan with one is refused by its name, with what to do', async () => {
  const plan = await render(external)
  expect(await refusalOf(() => refuseStoresOfOthers(plan))).toMatchObject({
    code: 'store-of-others',
    exit: 2,
    message: expect.stringContaining('DB_POSTGRESDB_HOST db.example.com'),
    hint: expect.stringContaining('--target URL'),
  })
})
