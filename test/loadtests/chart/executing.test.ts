import { executingOf } from '../../../loadtests/src/chart/executing.ts'
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
