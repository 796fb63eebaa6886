import type { Plan } from '../../../../loadtests/src/chart/plan.ts'
import { frontsOf, isBalanced } from '../../../../loadtests/src/targets/local/balancer.ts'
import type { LocalPod } from '../../../../loadtests/src/targets/local/pod.ts'

const service = { name: 'n8n-webhook', port: 5678, targetPort: 'http', component: 'webhook' }
const workload = (component: string, replicas: number) => ({
  component,
  replicas,
  containers: [{ ports: [{ name: 'http', port: 5678 }] }],
})
const plan = (...workloads: object[]) => ({ workloads, services: [service] }) as unknown as Plan
const pod = (component: string, port: number) =>
  ({ workload: workload(component, 2), ports: new Map([[5678, port]]) }) as unknown as LocalPod

test('several pods behind a Service get one port that stands for all of them', async () => {
  const given = plan(workload('webhook', 2))
  expect(isBalanced(given)).toBe(true)
  const front = (await frontsOf(given, [pod('webhook', 41001), pod('main', 41002), pod('webhook', 41003)])).get(service)
  expect(front).toMatchObject({ component: 'webhook', backends: [41001, 41003] })
  expect(front!.port).toBeGreaterThan(1024)
})

test('one that is alone is asked directly', async () => {
  expect(isBalanced(plan(workload('webhook', 1)))).toBe(false)
  expect((await frontsOf(plan(workload('webhook', 1)), [pod('webhook', 41001)])).size).toBe(0)
})

test('workers, however many, are asked by none', () => {
  expect(isBalanced(plan(workload('webhook', 1), workload('worker', 3)))).toBe(false)
})
