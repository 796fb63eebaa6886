import type { Plan, Service } from '../../chart/plan.ts'
import { invalid } from '../../lib/errors.ts'
import { paths } from '../../lib/paths.ts'
import { freePorts } from '../../lib/ports.ts'
import { begun, startBeside } from './beside.ts'
import type { Balancer, Front, OpenBalancer, Post } from './machine.ts'
import { allListen, machineNetwork } from './network.ts'
import { portOf, type LocalPod } from './pod.ts'

/** A process of Node that gives connections to the replicas in turn. It needs nothing installed. */
export const nodeBalancer: OpenBalancer = async (post, within) =>
  processBalancer('node', post, within, async (fronts) => ({
    argv: [process.execPath, '--no-warnings', paths.balancer],
    env: { FRONTS: JSON.stringify(fronts), HOST: (within ?? machineNetwork).listen },
  }))

/** A balancer that is a program, without limits, on the generator's cores. */
export function processBalancer(
  name: string,
  post: Post,
  network = machineNetwork,
  commandFor: (fronts: Front[]) => Promise<{ argv: string[]; env: Record<string, string> }>,
): Balancer {
  return {
    network,
    async balance(fronts) {
      const { argv, env } = await commandFor(fronts)
      const beside = await startBeside('balancer', network.join(argv), env, post)
      const ports = fronts.map(({ port }) => port)
      await network.open(ports)
      await begun(
        beside,
        async () => allListen(network, ports),
        post,
        (log) =>
          invalid(
            'balancer-failed',
            `Expected the balancer ${name} to start, but it did not.`,
            'Repair what its log names.',
            log,
          ),
      )
      return beside.process
    },
  }
}

/** No caller connects to workers: only a workload behind a Service needs a balancer. */
export const isBalanced = ({ workloads, services }: Plan) =>
  workloads.some(
    ({ component, replicas }) => replicas > 1 && services.some((service) => service.component === component),
  )

/** One front for each port of a Service that leads to several pods; callers reach a single pod directly. */
export async function frontsOf({ services }: Plan, pods: LocalPod[]): Promise<Map<Service, Front>> {
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
