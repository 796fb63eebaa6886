import type { Plan } from '../../../chart/plan.ts'
import { until } from '../../../lib/await.ts'
import type { Api } from '../api.ts'
import type { Controller } from '../objects.ts'

type Workload = Plan['workloads'][number]

/** The objects that run the workloads of these components. */
export const controllersOf = (components: string[], { workloads }: Plan, api: Api, namespace: string) =>
  Promise.all(
    workloads
      .filter(({ component }) => components.includes(component))
      .map((workload) => controllerOf(workload, api, namespace)),
  )

const kinds = { deploy: 'deployments', set: 'statefulsets' }

/** The plan names a workload with its kind. */
async function controllerOf(
  { name: workload }: Workload,
  api: Api,
  namespace: string,
): Promise<{ path: string; spec: Controller['spec'] }> {
  const [kind, name] = workload.split('/') as [keyof typeof kinds, string]
  const path = `/apis/apps/v1/namespaces/${namespace}/${kinds[kind]}/${name}`
  return { path, spec: (await api.get<Controller>(path)).spec }
}

/** Waits until a workload runs what was last asked of it. */
export async function settled(api: Api, path: string, timeout: number): Promise<void> {
  await until(
    async () => {
      const { metadata, spec, status } = await api.get<Controller>(path)
      return (
        status.observedGeneration >= metadata.generation
        && status.updatedReplicas === spec.replicas
        && status.readyReplicas === spec.replicas
        && status.replicas === spec.replicas
      )
    },
    { timeout, every: 500 },
  )
}
