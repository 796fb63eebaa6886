import { until } from '../../support/await.ts'
import type { Api } from './api.ts'
import { clusterErrors } from './errors.ts'
import { heartbeat, isGone, thisOwner } from './owner.ts'

/** Everything that the lab makes in a cluster is in its own namespaces, so removing them removes everything. */
export interface Namespaces {
  make(name: string): Promise<void>
  /** Returns once the namespace is gone. */
  remove(name: string): Promise<void>
  /** Removes the namespaces of labs that no longer run. */
  sweep(): Promise<string[]>
  close(): Promise<void>
}

export const mine = { 'app.kubernetes.io/managed-by': 'n8n-tuned-lab' }
/** Selects the namespaces of labs. */
export const labs = Object.entries(mine)
  .map(([key, value]) => `${key}=${value}`)
  .join(',')
const prefix = 'n8n-tuned/'
const all = '/api/v1/namespaces'

const patience = 180_000

export function namespacesOf(api: Api): Namespaces {
  const made = new Set<string>()
  const beat = () =>
    Promise.allSettled([...made].map((name) => api.patch(`${all}/${name}`, { metadata: { annotations: seenNow() } })))
  const timer = setInterval(() => void beat(), heartbeat)
  timer.unref()

  const untilGone = (name: string) =>
    until(async () => (await api.find(`${all}/${name}`)) === undefined, { timeout: patience, every: 250 })

  async function remove(name: string): Promise<void> {
    // Nothing in it is kept, so its pods are killed at once: otherwise a deleted namespace waits for the grace period
    // of every pod.
    await api.remove(`${all}/${name}`)
    const pods = await api.find(`${all}/${name}/pods`)
    for (const pod of pods?.items ?? []) await api.remove(`${all}/${name}/pods/${pod.metadata.name}`)
    if (!(await untilGone(name))) throw clusterErrors.leftInCluster(name, patience / 1000)
    made.delete(name)
  }

  return {
    async make(name) {
      const labels = { ...mine, 'pod-security.kubernetes.io/enforce': 'restricted' }
      const annotations = {
        ...seenNow(),
        ...Object.fromEntries(Object.entries(thisOwner()).map(([key, value]) => [prefix + key, value])),
      }
      made.add(name)
      await api.create(all, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels, annotations } })
      // Pods run under this account. Until it exists, the API server refuses them.
      await until(() => api.find(`${all}/${name}/serviceaccounts/default`), { timeout: 10_000, every: 50 })
    },
    remove,
    async sweep() {
      const found: any[] = (await api.get(`${all}?labelSelector=${encodeURIComponent(labs)}`)).items
      const gone = await Promise.all(found.map(({ metadata }) => isGone(ownerOf(metadata.annotations), Date.now())))
      const left = found.filter((_, index) => gone[index]).map(({ metadata }) => metadata.name as string)
      await Promise.all(left.map(remove))
      return left
    },
    async close() {
      await Promise.all([...made].map(remove))
      clearInterval(timer)
    },
  }
}

const seenNow = () => ({ [`${prefix}seen`]: new Date().toISOString() })

function ownerOf(annotations: Record<string, string> = {}) {
  return Object.fromEntries(
    Object.entries(annotations)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => [key.slice(prefix.length), value]),
  )
}
