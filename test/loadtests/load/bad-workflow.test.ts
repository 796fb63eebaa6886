import { uncounted } from '../../../loadtests/src/judge/accounting.ts'
import { judge } from '../../../loadtests/src/judge/verdict.ts'
import { services, together, toUrl } from '../fixtures/k6.ts'
import { startService } from '../../support/service.ts'

/** One workflow of a mix is always late, and has so many of a hundred requests: too few to be seen among all. */
together.each([1, 2, 4, 7, 10])('a bad workflow with %d %% of the traffic is found and named', async (share) => {
  const service = await startService((request) => ({
    after: service.requests[request - 1] === 'GET /refunds' ? 8000 : 5,
  }))
  services.push(service)
  const part = (workflow: string, weight: number) => ({
    workflow,
    id: workflow,
    url: service.url + workflow,
    method: 'GET',
    weight,
  })
  const load = await toUrl(
    service.url,
    {
      mix: [part('orders', 90 - share), part('refunds', share), part('users', 10)],
      duration: 12,
      timeout: 20,
      shape: { kind: 'constant', rate: 50 },
    },
    { p95: 5000 },
  )
  const evidence = { load, accounting: uncounted(load.accepted), exits: [], limitOf: () => null, untuned: false }
  const { holds, reasons } = judge(evidence, { p95: 5000, errors: 0.001, backlog: 0.05 })
  expect(holds).toBe(false)
  const named = reasons.flatMap((one) => ('workflow' in one ? [[one.workflow, one.code]] : []))
  expect(named).toEqual([['refunds', 'latency']])
})
