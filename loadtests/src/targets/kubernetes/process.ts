import type { Container, Workload } from '../../chart/plan.ts'
import { servedMetrics } from '../served-metrics.ts'
import type { RunningProcess } from '../target.ts'
import type { Api } from './api.ts'
import { argvOf } from './exec.ts'
import { openShell, type Shell } from './shell.ts'
import { look, usageBy } from './usage.ts'
import type { Watch } from './watch.ts'

export interface PodAccess {
  api: Api
  context: string
  namespace: string
  watch: Watch
  /** The component that receives the plan's requests. */
  entry: string
}

/** Watches a container of one replica over its restarts, and over the pods that replace its pod. */
export function processOf(
  slot: string,
  workload: Workload,
  container: Container,
  { api, context, namespace, watch, entry }: PodAccess,
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
        ['kubectl', ...argvOf({ context, namespace, pod, container: container.name }, [], '--stdin')],
        look,
      ),
    }
    return shell.shell
  }

  const port = container.ports.find(({ name: port }) => port === 'http')?.port
  async function metrics(timeout: number): Promise<string | null> {
    const answer = await api.ask(`/api/v1/namespaces/${namespace}/pods/${podName()}:${port}/proxy/metrics`, { timeout })
    return servedMetrics(workload.component, answer)
  }

  return {
    name,
    limits: container.limits,
    serves: workload.component === entry && container === workload.containers[0],
    restarts: () => watch.restarts(name),
    async usage() {
      const open = shellNow()
      return open ? usageBy(open) : { cpuSeconds: null, rss: null, pids: 0 }
    },
    ...(container.env.N8N_METRICS === 'true' && { metrics }),
    ...(container === workload.containers[0] && { isReady: async () => saysReady(watch.pods().get(slot)) }),
    close: () => shell?.shell.close(),
  }
}

const saysReady = (pod: any): boolean =>
  pod?.status.conditions?.some(({ type, status }: any) => type === 'Ready' && status === 'True') ?? false
