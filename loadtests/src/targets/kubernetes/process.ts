import type { Container, Workload } from '../../chart/plan.ts'
import { servedMetrics } from '../../n8n/metrics.ts'
import type { RunningProcess } from '../../n8n/running.ts'
import type { Cluster } from './cluster.ts'
import { inContainer } from './kubectl.ts'
import { isReady } from './pods.ts'
import { openShell, type Shell } from './shell.ts'
import { look, unknown, usageBy, type Kubelets } from './usage.ts'
import type { Watch } from './watch.ts'

export interface PodAccess {
  cluster: Cluster
  namespace: string
  watch: Watch
  /** The component that receives the plan's requests. */
  entry: string
  /** Asked in place of the container itself, where there are many. */
  kubelets: Kubelets | null
}

/** Watches a container of one replica over its restarts, and over the pods that replace its pod. */
export function watchProcess(
  slot: string,
  workload: Workload,
  container: Container,
  { cluster, namespace, watch, entry, kubelets }: PodAccess,
): RunningProcess & { close(): void } {
  const name = container === workload.containers[0] ? slot : `${slot}-${container.name}`
  const podName = (): string | undefined => watch.pods().get(slot)?.metadata.name
  let shell: { pod: string; shell: Shell } | null = null

  function shellNow(): Shell | null {
    const pod = podName()
    if (pod === undefined) return null
    if (shell && (shell.pod !== pod || shell.shell.ended())) {
      shell.shell.close()
      shell = null
    }
    shell ??= {
      pod,
      shell: openShell(
        (words) => inContainer(cluster.context, { namespace, pod, container: container.name }, words),
        look,
      ),
    }
    return shell.shell
  }

  const port = container.ports.find(({ name: port }) => port === 'http')?.port
  async function metrics(timeout: number): Promise<string | null> {
    const answer = await cluster.api.ask(`/api/v1/namespaces/${namespace}/pods/${podName()}:${port}/proxy/metrics`, {
      timeout,
    })
    return servedMetrics(workload.component, answer)
  }

  return {
    name,
    limits: container.limits,
    serves: workload.component === entry && container === workload.containers[0],
    async usage() {
      const pod = watch.pods().get(slot)
      if (pod && kubelets) return kubelets.usageOf(pod, container.name)
      const open = shellNow()
      return open ? usageBy(open) : unknown
    },
    ...(container.env.N8N_METRICS === 'true' && { metrics }),
    ...(container === workload.containers[0] && { isReady: async () => isReady(watch.pods().get(slot)) }),
    close: () => shell?.shell.close(),
  }
}
