import type { Plan } from '../chart/plan.ts'
import { faultErrors } from '../shared/fault-errors.ts'
import { causeOf, type Fault } from '../shared/faults.ts'

/** Refuses a fault of something that the plan does not run. */
export function refuseWithout(fault: Fault, { workloads }: Plan): void {
  const components = [...new Set(workloads.filter(({ replicas }) => replicas > 0).map(({ component }) => component))]
  const env = workloads.find(({ component }) => component === 'main')?.containers[0]?.env
  const cause = causeOf(fault)
  const isThere = {
    // A process of every plan, or a child of one.
    process: () => cause.by === 'process' && ['n8n', 'runner', ...components].includes(cause.component),
    // They may be others' servers, which the lab reaches as n8n does.
    redis: () => env?.EXECUTIONS_MODE === 'queue',
    postgresql: () => env?.DB_TYPE === 'postgresdb',
    upgrade: () => true,
  }[cause.by]
  if (!isThere()) throw faultErrors.noSuchComponent(cause.by === 'process' ? cause.component : cause.by, components)
}
