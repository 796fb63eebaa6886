import { refuseStoresOfOthers } from '../chart/own-stores.ts'
import type { Plan } from '../chart/plan.ts'
import { usage } from '../lib/errors.ts'
import { causeOfFault, type Fault } from './faults.ts'
import { isPostgresql, isQueueMode, postgresqlLogin, redisLogin } from '../n8n/settings.ts'
import type { Running } from '../n8n/running.ts'

/** Refuses a fault of something that the plan does not start, or beside a store that it does not start. */
export function refuseFaultWithout(fault: Fault, plan: Plan): void {
  const { workloads } = plan
  refuseStoresOfOthers(plan)
  const components = [...new Set(workloads.filter(({ replicas }) => replicas > 0).map(({ component }) => component))]
  const cause = causeOfFault(fault)
  if (cause.by === 'upgrade') return
  const needed = cause.by === 'process' ? cause.component : cause.by
  // A process of every plan, or a child of one.
  if (!['n8n', 'runner', ...components].includes(needed))
    throw usage(
      'no-such-component',
      `Expected a plan with ${needed}, which the fault needs, got one with ${components.join(', ')}.`,
      'Choose another fault, or other values: --set executions.mode=queue --set database.type=embedded has '
        + 'all of them.',
    )
}

/**
 * The last look before the first command: where the settings lead now has to be a store that the target itself has
 * started. A variable that is missing would lead to whatever runs on this machine.
 */
export function refuseOthersAt({ settings, stores }: Pick<Running, 'settings' | 'stores'>): void {
  if (!settings) throw noFaultsThere()
  const used = [
    ...(isPostgresql(settings) ? [postgresqlLogin(settings)] : []),
    ...(isQueueMode(settings) ? [redisLogin(settings)] : []),
  ]
  const stranger = used.map(({ host, port }) => `${host}:${port}`).find((address) => !stores.includes(address))
  if (stranger === undefined) return
  throw usage(
    'store-of-others',
    `Expected the fault to act on a store that the lab started (${stores.join(', ') || 'none'}), got ${stranger}.`,
    'Nothing was sent there. Set database.type and redis.type to embedded.',
  )
}

export const noFaultsThere = () =>
  usage(
    'no-faults-there',
    'Expected --fault with an n8n that the lab starts, and whose database it can ask, got another one.',
    'Leave out --target, or take --target kubernetes with database.type and redis.type embedded.',
  )
