import type { Target } from '../target.ts'
import type { Api } from './api.ts'
import type { Context } from './context.ts'
import { groundOf } from './homes.ts'
import { releaseIn } from './release.ts'

/** What a reader needs to know about the cluster. A user who may not list nodes can measure nevertheless. */
export async function surroundingsOf(
  api: Api,
  { name }: Context,
  namespace: string | null,
): Promise<NonNullable<Target['surroundings']>> {
  const said = await api.ask('/api/v1/nodes', { timeout: 10_000 })
  const nodes: any[] = said?.status === 200 ? JSON.parse(said.text).items : []
  const release = await releaseIn(api, groundOf(api, namespace), namespace)
  return {
    machine: nodes.length ? describe(nodes) : null,
    ...(release && { release }),
    warnings: [
      `Measured in the cluster of the context ${name}${namespace === null ? '' : `, in the namespace ${namespace}`}.`,
      ...(nodes.length === 0
        ? ['The context may not list nodes: the report does not say which machine it was, or whether it was only one.']
        : []),
      ...(nodes.length === 1
        ? ['The cluster has one node: the generator shares its cores with n8n, and capacity is understated.']
        : []),
    ],
  }
}

function describe(nodes: any[]) {
  // Nodes report whole cores, and memory as `8130132Ki`.
  const total = (resource: string) =>
    nodes.reduce((sum, { status }) => sum + Number.parseInt(status.capacity[resource]), 0)
  const [{ status }] = nodes
  const { kernelVersion, kubeletVersion, architecture } = status.nodeInfo
  const count = nodes.length === 1 ? 'one node' : `${nodes.length} nodes`
  return {
    cpu: `Kubernetes ${kubeletVersion}, ${count}, ${architecture}`,
    cores: total('cpu'),
    memory: total('memory') * 1024,
    kernel: kernelVersion,
  }
}
