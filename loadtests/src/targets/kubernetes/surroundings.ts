import { parseQuantity } from '../../lib/quantity.ts'
import type { Release } from '../../model/environment.ts'
import type { Target } from '../target.ts'
import type { Api } from './api.ts'
import type { NamespaceKind } from './namespace-kinds.ts'
import { namespaceKindOf } from './namespaces.ts'
import { instance, selecting, type NamedObject, type NodeObject } from './objects.ts'

/** What a reader needs to know about the cluster. A user who may not list nodes can measure nevertheless. */
export async function surroundingsOf(
  api: Api,
  name: string,
  namespace: string | null,
): Promise<NonNullable<Target['surroundings']>> {
  const said = await api.ask('/api/v1/nodes', { timeout: 10_000 })
  const nodes: NodeObject[] = said?.status === 200 ? JSON.parse(said.text).items : []
  const release = await releaseIn(api, namespaceKindOf(api, namespace), namespace)
  return {
    machine: nodes.length ? describe(nodes) : null,
    ...(release && { release }),
    warnings: [
      { code: 'in-cluster', context: name, namespace },
      ...(nodes.length === 0 ? [{ code: 'nodes-unknown' as const }] : []),
      ...(nodes.length === 1 ? [{ code: 'one-node' as const }] : []),
    ],
  }
}

function describe(nodes: NodeObject[]) {
  // A kubelet counts memory as `8130132Ki`, others as `7940Mi` or `8Gi`.
  const total = (resource: 'cpu' | 'memory') =>
    nodes.reduce((sum, { status }) => sum + parseQuantity(status.capacity[resource] ?? 0), 0)
  const [{ status }] = nodes as [NodeObject]
  const { kernelVersion, kubeletVersion, architecture } = status.nodeInfo
  const count = nodes.length === 1 ? 'one node' : `${nodes.length} nodes`
  return {
    cpu: `Kubernetes ${kubeletVersion}, ${count}, ${architecture}`,
    cores: total('cpu'),
    memory: total('memory'),
    kernel: kernelVersion,
  }
}

const mains = selecting({ 'app.kubernetes.io/name': 'n8n-tuned', 'app.kubernetes.io/component': 'main' })

/**
 * The operator's own release of the chart, so that the report can name it: in the given namespace, or anywhere. None
 * where there are several, or where the user may not look there.
 */
export async function releaseIn(api: Api, kind: NamespaceKind, given: string | null): Promise<Release | undefined> {
  const path = `/apis/apps/v1${given === null ? '' : `/namespaces/${given}`}/deployments`
  const said = await api.ask(`${path}?labelSelector=${encodeURIComponent(mains)}`, { timeout: 10_000 })
  if (said?.status !== 200) return undefined
  const ofLabs = new Set((await kind.all()).map(({ name }) => name))
  const deployments: NamedObject[] = JSON.parse(said.text).items
  const found = deployments.filter(({ metadata }) => !ofLabs.has(metadata.labels![instance]!))
  if (found.length !== 1) return undefined
  const { namespace, labels } = found[0]!.metadata
  return { name: labels![instance]!, namespace }
}
