import { refuseStoresOfOthers } from '../chart/own-stores.ts'
import type { Plan } from '../chart/plan.ts'
import { usage } from '../lib/errors.ts'
import { faultErrors } from './fault-errors.ts'
import { causeOf, type Fault } from './faults.ts'
import { isPostgresql, isQueueMode, postgresqlServer, redisServer } from '../n8n/settings.ts'
import type { Running } from '../targets/target.ts'

/** Refuses a fault of something that the plan does not start, or beside a store that it does not start. */
export function refuseWithout(fault: Fault, plan: Plan): void {
  const { workloads } = plan
  refuseStoresOfOthers(plan)
  const components = [...new Set(workloads.filter(({ replicas }) => replicas > 0).map(({ component }) => component))]
  const cause = causeOf(fault)
  if (cause.by === 'upgrade') return
  const needed = cause.by === 'process' ? cause.component : cause.by
  // A process of every plan, or a child of one.
  if (!['n8n', 'runner', ...components].includes(needed)) throw faultErrors.noSuchComponent(needed, components)
}

/**
 * The last look before the first command: where the settings lead now has to be a store that the target itself has
 * started. A variable that is missing would lead to whatever runs on this machine.
 */
export function refuseOthersAt({ settings, stores }: Pick<Running, 'settings' | 'stores'>): void {
  if (!settings) throw faultErrors.noFaultsThere()
  const used = [
    ...(isPostgresql(settings) ? [postgresqlServer(settings)] : []),
    ...(isQueueMode(settings) ? [redisServer(settings)] : []),
  ]
  const stranger = used.map(({ host, port }) => `${host}:${port}`).find((address) => !stores.includes(address))
  if (stranger === undefined) return
  throw usage(
    'store-of-others',
    `Expected the fault to act on a store that the lab started (${stores.join(', ') || 'none'}), got ${stranger}.`,
    'Nothing was sent there. Set database.type and redis.type to embedded.',
  )
}
