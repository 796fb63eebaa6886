import { until } from '../../lib/await.ts'
import type { Api } from './api.ts'
import { clusterErrors } from './errors.ts'
import type { Ground } from './ground.ts'
import { mine, selecting } from './labels.ts'

const all = '/api/v1/namespaces'
const patience = 180_000

/** Each home is a namespace: its deletion takes all along. */
export function ownNamespaces(api: Api): Ground {
  return {
    namespaceOf: (name) => name,
    marks: all,
    async all() {
      const { items } = await api.get(`${all}?labelSelector=${encodeURIComponent(selecting(mine))}`)
      return items.map(({ metadata }: any) => ({ name: metadata.name, annotations: metadata.annotations ?? {} }))
    },
    async begin(name, annotations) {
      const labels = { ...mine, 'pod-security.kubernetes.io/enforce': 'restricted' }
      await api.create(all, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels, annotations } })
      // Pods run under this account. Until it exists, the API server refuses them.
      await until(() => api.find(`${all}/${name}/serviceaccounts/default`), { timeout: 10_000, every: 50 })
    },
    async end(name) {
      // Nothing in it is kept, so its pods are killed at once: otherwise a deleted namespace waits for the grace period
      // of every pod.
      await api.remove(`${all}/${name}`)
      const pods = await api.find(`${all}/${name}/pods`)
      for (const pod of pods?.items ?? []) await api.remove(`${all}/${name}/pods/${pod.metadata.name}`)
      const gone = await until(async () => (await api.find(`${all}/${name}`)) === undefined, {
        timeout: patience,
        every: 250,
      })
      if (!gone) throw clusterErrors.leftInCluster(name, patience / 1000)
    },
  }
}
