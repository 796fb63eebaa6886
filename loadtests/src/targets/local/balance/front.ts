import type { Plan, Service } from '../../../chart/plan.ts'
import { freePorts } from '../../../lib/ports.ts'
import { portOf, type Pod } from '../pod.ts'

/** A port that balances over several replicas of a workload. Ports are on loopback. */
export interface Front {
  component: string
  port: number
  backends: number[]
}

/** No caller connects to workers: only a workload behind a Service needs a balancer. */
export const isBalanced = ({ workloads, services }: Plan) =>
  workloads.some(
    ({ component, replicas }) => replicas > 1 && services.some((service) => service.component === component),
  )

/** One front for each port of a Service that leads to several pods; callers reach a single pod directly. */
export async function frontsOf({ services }: Plan, pods: Pod[]): Promise<Map<Service, Front>> {
  const balanced = services.flatMap((service) => {
    const behind = pods.filter(({ workload }) => workload.component === service.component)
    return behind.length > 1 ? [{ service, backends: behind.map((pod) => portOf(pod, service.targetPort)) }] : []
  })
  const ports = await freePorts(balanced.length)
  return new Map(
    balanced.map(({ service, backends }, index) => [
      service,
      { component: service.component, port: ports[index]!, backends },
    ]),
  )
}
