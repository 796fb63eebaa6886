import { refuseForeignStores } from '../../../loadtests/src/chart/foreign-stores.ts'
import { planOf } from '../../../loadtests/src/run/plan.ts'
import { render } from '../../../loadtests/src/chart/render.ts'
import { refusalOf } from '../../support/refusal.ts'

/** The last look before anything starts: whatever the values were, no container reaches another's store. */

const main = (env: Record<string, string>) => ({
  services: [{ name: 'n8n-redis', port: 6379, targetPort: 6379, component: 'redis' }],
  workloads: [
    {
      ...{ name: 'deploy/n8n-main', component: 'main', replicas: 1, init: [], volumes: [], grace: 30 },
      containers: [
        {
          ...{ name: 'n8n', image: { repository: 'n8nio/n8n', tag: '2.41.1' }, command: null, args: [], secrets: [] },
          ...{ ports: [], limits: { cpu: 1, memory: null }, mounts: [], readiness: null, user: null },
          readOnlyRoot: true,
          env,
        },
      ],
    },
  ],
})

test.each([
  [{ DB_TYPE: 'postgresdb', DB_POSTGRESDB_HOST: 'db.example.com' }, 'db.example.com as DB_POSTGRESDB_HOST'],
  [{ DB_TYPE: 'postgresdb' }, 'none as DB_POSTGRESDB_HOST'],
  [{ QUEUE_BULL_REDIS_HOST: 'n8n-redis.production.svc' }, 'n8n-redis.production.svc as QUEUE_BULL_REDIS_HOST'],
  [{ QUEUE_BULL_REDIS_CLUSTER_NODES: 'n8n-redis:6379,b:6379' }, 'b as QUEUE_BULL_REDIS_CLUSTER_NODES'],
  [{ EXECUTIONS_MODE: 'queue' }, 'none as QUEUE_BULL_REDIS_HOST'],
  [{ STATE: 'rediss://:secret@cache:6380/1' }, 'cache as STATE'],
  [{ WAIT_FOR: 'tcp://n8n-redis:6379 tcp://127.0.0.1:5432' }, '127.0.0.1 as WAIT_FOR'],
])('%j is refused by name', async (env, said) => {
  const refusal = await refusalOf(() => refuseForeignStores(main(env as Record<string, string>)))
  expect(refusal).toMatchObject({ code: 'foreign-store', exit: 2, message: expect.stringContaining(said) })
})

test('stores of the plan itself are not', () => {
  const env = { EXECUTIONS_MODE: 'queue', QUEUE_BULL_REDIS_HOST: 'n8n-redis', WAIT_FOR: 'tcp://n8n-redis:6379' }
  expect(() => refuseForeignStores(main(env))).not.toThrow()
})

test('a plan as a run makes it passes; one that the chart renders of the same values does not', async () => {
  const values = {
    database: { type: 'external', host: 'db.example.com', password: { none: true } },
    encryptionKey: { generate: true },
  }
  await expect(planOf('chart', values)).resolves.toMatchObject({ setAside: [{ what: ['database at db.example.com'] }] })
  const asGiven = await render(values)
  expect(await refusalOf(() => refuseForeignStores(asGiven))).toMatchObject({ code: 'foreign-store' })
})
