import type { Plan } from '../../chart/plan.ts'
import { LabError } from '../../lib/errors.ts'
import { mergeValues } from '../../lib/values.ts'
import type { Order, Running } from '../target.ts'

/** Of each pod of n8n and its stores, where no node has room for what the values request. */
const small = { requests: { cpu: '20m', memory: '64Mi' } }

/** Requests only reserve room on a node. What n8n may use is said by its limits, which stay. */
export function withSmallRequests(plan: Plan): Plan {
  const role = { resources: small }
  const store = { embedded: role }
  const values = mergeValues(plan.values, {
    ...{ main: role, worker: role, webhook: role, runner: role },
    ...{ database: store, redis: store },
  })
  return { ...plan, values }
}

/** Starts the plan, and once more with small requests if its nodes have no room: production's are larger, or more. */
export async function startWhereRoomIs(
  plan: Plan,
  order: Order,
  start: (plan: Plan) => Promise<Running>,
): Promise<Running> {
  try {
    return await start(plan)
  } catch (error) {
    if (!(error instanceof LabError) || error.code !== 'no-room') throw error
    const { cpu, memory } = small.requests
    order.onUnseen?.(
      `No node had room for what the values request, so each pod requests ${cpu} of CPU and ${memory} instead; limits `
        + 'are as given. Where pods compete for cores, these are shared otherwise than with your requests.',
    )
    return start(withSmallRequests(plan))
  }
}
