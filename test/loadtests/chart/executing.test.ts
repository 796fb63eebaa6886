import { executingOf, leastCores } from '../../../loadtests/src/chart/executing.ts'
import { render } from '../../../loadtests/src/chart/render.ts'

const queue = { executions: { mode: 'queue' }, database: { type: 'embedded' } }

test('in queue mode as many executions run at once as all workers together may', async () => {
  const plan = await render({ ...queue, worker: { replicas: 3, concurrency: 7 } })
  expect(executingOf(plan).slots).toBe(21)
})

test('in regular mode n8n has a limit only where it was given one', async () => {
  expect(executingOf(await render({})).slots).toBeNull()
  const limited = await render({ main: { extraEnv: { N8N_CONCURRENCY_PRODUCTION_LIMIT: '5' } } })
  expect(executingOf(limited).slots).toBe(5)
})

test('the heap of each process is the one that the chart wrote', async () => {
  const plan = await render({ ...queue, worker: { replicas: 2, heap: { megabytes: 300 } } })
  const { heaps } = executingOf(plan)
  expect(heaps).toMatchObject({ 'worker-0': 300 * 2 ** 20, 'worker-1': 300 * 2 ** 20 })
  expect(Object.keys(heaps)).toContain('main-0')
  expect(Object.keys(heaps)).not.toContain('postgresql-0')
})

test('least cores has the n8n process that is limited most, and no store', async () => {
  const given = {
    ...queue,
    monitoring: { enabled: true },
    redis: { type: 'embedded', embedded: { resources: { limits: { cpu: '100m' } } } },
    webhook: { replicas: 1, resources: { limits: { cpu: '2' } } },
    worker: { resources: { limits: { cpu: '300m' } } },
  }
  expect(leastCores(await render(given))).toBe(0.3)
})

test('least cores is at most one, for Node runs n8n on one', async () => {
  const main = { resources: { limits: { cpu: '2' } } }
  expect(leastCores(await render({ main, monitoring: { enabled: true } }))).toBe(1)
})
