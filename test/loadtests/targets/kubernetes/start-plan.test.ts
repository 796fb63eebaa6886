import type { Plan } from '../../../../loadtests/src/chart/plan.ts'
import { manifests, render } from '../../../../loadtests/src/chart/render.ts'
import { invalid } from '../../../../loadtests/src/lib/errors.ts'
import { startWhereRoomIs, withSmallRequests } from '../../../../loadtests/src/targets/kubernetes/start-plan.ts'
import type { FoundWarning } from '../../../../loadtests/src/model/warning.ts'
import type { Order } from '../../../../loadtests/src/targets/target.ts'
import type { Running } from '../../../../loadtests/src/n8n/running.ts'
import { refusalOf } from '../../../support/refusal.ts'

const large = { requests: { cpu: '4', memory: '8Gi' }, limits: { cpu: '4', memory: '8Gi' } }
const values = {
  executions: { mode: 'queue' },
  database: { type: 'embedded' },
  worker: { replicas: 8, resources: large },
}
const running = {} as Running
const noRoom = () => invalid('no-room', 'Expected worker-3 to become ready, but no node has room for it.', '')

/** Starts a plan on nodes without room for large requests. */
async function starting(fail: (plan: Plan) => Error | null) {
  const told: FoundWarning[] = []
  const asked: Plan[] = []
  const order = { onUnseen: (warning: FoundWarning) => void told.push(warning) } as Partial<Order> as Order
  const started = startWhereRoomIs(await render(values), order, async (plan) => {
    asked.push(plan)
    const error = fail(plan)
    if (error) throw error
    return running
  })
  return { started, asked, told }
}

test('where no node has room, pods request less and keep their limits, which is told', async () => {
  let first = true
  const { started, asked, told } = await starting(() => (first ? ((first = false), noRoom()) : null))
  expect(await started).toBe(running)
  expect(asked.map((plan) => plan.values.worker)).toMatchObject([
    { replicas: 8, resources: large },
    { replicas: 8, resources: { requests: { cpu: '20m', memory: '64Mi' }, limits: large.limits } },
  ])
  expect(told).toEqual([{ code: 'no-room-for-requests', cpu: '20m', memory: '64Mi' }])
})

test('every pod of n8n and its stores requests little then', async () => {
  const rendered = await manifests(withSmallRequests(await render(values)).values)
  const requests = [...rendered.matchAll(/requests:\n\s+cpu: (\S+)\n\s+memory: (\S+)/g)].map(([, ...of]) => of)
  expect(requests.length).toBeGreaterThan(4)
  for (const [cpu, memory] of requests) {
    expect(Number.parseInt(cpu!)).toBeLessThanOrEqual(50)
    expect(memory).toMatch(/^\d\d?\d?Mi$/)
  }
})

test('anything else that keeps n8n from starting is no reason to try again', async () => {
  const { started, asked } = await starting(() => invalid('never-ready', 'Its container ended.', ''))
  expect(await refusalOf(() => started)).toMatchObject({ code: 'never-ready' })
  expect(asked).toHaveLength(1)
})
