import { processName } from '../lib/process-name.ts'
import type { Limits, Plan, Workload } from './plan.ts'

/** The limits of each process of the plan, by its name in the run. */
export function limitsOf({ workloads }: Plan): Record<string, Limits> {
  return Object.fromEntries(
    workloads.flatMap((workload) =>
      Array.from({ length: workload.replicas }, (_, index) => ofReplica(workload, index)).flat(),
    ),
  )
}

function ofReplica({ component, containers }: Workload, index: number): [string, Limits][] {
  return containers.map(({ name, limits }, position) => [
    processName(component, index, position > 0 ? name : undefined),
    limits,
  ])
}
