import { encode } from '../../../loadtests/src/model/distribution.ts'
import { latency, slo, step } from '../fixtures/judged.ts'

/** One workflow of a mix whose requests were all answered within so many milliseconds. */
const part = (workflow: string, requests: number, took: number, failed = 0) => ({
  workflow,
  accepted: requests - failed,
  failed,
  latency: latency(took),
  distribution: encode([{ value: took, count: requests }]),
})

const mixOf = (...parts: ReturnType<typeof part>[]) => ({ latency: latency(100), parts })

test('each workflow of a mix has to meet the objective, however little of the traffic it is', () => {
  const { holds, reasons } = step({ load: mixOf(part('orders', 960, 100), part('reports', 40, 25_000)) })
  expect(holds).toBe(false)
  expect(reasons).toMatchObject([{ code: 'latency', workflow: 'reports', share: 0.95, taken: 25_000 }])
})

test('a workflow of a mix that fails too often is named', () => {
  const { reasons } = step({ load: mixOf(part('orders', 960, 100), part('reports', 40, 100, 3)) })
  expect(reasons).toMatchObject([{ code: 'errors', workflow: 'reports', share: 0.075, requests: 40 }])
})

test('a mix holds if each of its workflows does', () => {
  expect(step({ load: mixOf(part('orders', 960, 100), part('reports', 100, 400)) }).holds).toBe(true)
})

test('a workflow may have an objective of its own', () => {
  const load = mixOf(part('orders', 960, 100), part('reports', 40, 25_000))
  const objective = { ...slo, workflows: { reports: { p95: 30_000, p99: 60_000 } } }
  expect(step({ load, objective }).holds).toBe(true)
})
