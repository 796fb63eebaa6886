import { ValuesRefused } from '../../../loadtests/src/chart/render.ts'
import { planOf, refuseAsGiven } from '../../../loadtests/src/run/plan.ts'

test('what the lab is told lies beside what the chart is told', async () => {
  const { plan, balancer } = await planOf('chart', {
    lab: { balancer: 'nginx' },
    executions: { mode: 'queue' },
    database: { type: 'embedded' },
    redis: { type: 'embedded' },
    webhook: { replicas: 3 },
  })
  expect(balancer).toBe('nginx')
  expect(plan.workloads.find(({ component }) => component === 'webhook')?.replicas).toBe(3)
})

test('unless told, the balancer is the one that needs nothing installed', async () => {
  expect(await planOf('chart', {})).toMatchObject({ balancer: 'node' })
})

test.each([
  [{ balancer: 'haproxy' }, 'lab.balancer: Expected one of node, nginx, iptables, got "haproxy".'],
  [{ balanser: 'nginx' }, 'lab.balanser: there is no such value.'],
])('%j is refused', async (lab, message) => {
  await expect(planOf('chart', { lab })).rejects.toEqual(new ValuesRefused(message))
})

test('values of production are asked about as they were given, although a run has others', async () => {
  const external = { database: { type: 'external', host: 'db.example.com' }, encryptionKey: { generate: true } }
  await expect(planOf('chart', external)).resolves.toMatchObject({ balancer: 'node' })
  await expect(refuseAsGiven(external)).rejects.toThrow('database.password: Expected the password of your PostgreSQL')
})
