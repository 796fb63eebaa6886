import { failure } from '../../lib/errors.ts'
import { until } from '../../lib/await.ts'
import type { Api } from './api.ts'
import { instance, mark, mine, type PodObject } from './objects.ts'
import { removable } from './rights.ts'

/** What differs between namespaces of the lab's own and parts of a given one. */
export interface NamespaceKind {
  namespaceOf(name: string): string
  /** The API path of the objects that mark namespaces. */
  marks: string
  /** The namespaces of all labs, with what their marks say about the owner. */
  all(): Promise<{ name: string; annotations: Record<string, string> }[]>
  /** Makes the mark, and waits until pods can be made. */
  begin(name: string, annotations: Record<string, string>): Promise<void>
  /** Removes what is in it, and last its mark. */
  end(name: string): Promise<void>
}

/** When a namespace’s owner last said that it is there. */
export const seen = 'n8n-tuned/seen'

const namespaces = '/api/v1/namespaces'
const patience = 180_000

/** Each is a whole namespace: its deletion takes all along. */
export function wholeNamespaces(api: Api): NamespaceKind {
  return {
    namespaceOf: (name) => name,
    marks: namespaces,
    async all() {
      const found = await api.list(namespaces, mine)
      return found.map(({ metadata }) => ({ name: metadata.name, annotations: metadata.annotations ?? {} }))
    },
    async begin(name, annotations) {
      const labels = { ...mine, 'pod-security.kubernetes.io/enforce': 'restricted' }
      await api.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels, annotations } })
      // Pods run under this account. Until it exists, the API server refuses them.
      await until(() => api.find(`${namespaces}/${name}/serviceaccounts/default`), { timeout: 10_000, every: 50 })
    },
    async end(name) {
      // Nothing in it is kept, so its pods are killed at once: otherwise a deleted namespace waits for the grace period
      // of every pod.
      await api.remove(`${namespaces}/${name}`)
      for (const pod of await api.list<PodObject>(`${namespaces}/${name}/pods`))
        await api.remove(`${namespaces}/${name}/pods/${pod.metadata.name}`)
      const gone = await until(async () => (await api.find(`${namespaces}/${name}`)) === undefined, {
        timeout: patience,
        every: 250,
      })
      if (!gone)
        throw failure(
          'left-in-cluster',
          `Expected the namespace ${name} to be gone within ${patience / 1000} s, but it is still there.`,
          `kubectl describe namespace ${name} says what holds it.`,
        )
    },
  }
}

/** Each is what has its name in a namespace of the user's, and a ConfigMap that says whose it is. */
export function partsOf(api: Api, namespace: string): NamespaceKind {
  const marks = `/api/v1/namespaces/${namespace}/configmaps`
  const secrets = `/api/v1/namespaces/${namespace}/secrets`

  /** The paths of all that is left of one but its mark. */
  async function left(name: string): Promise<string[]> {
    const found = async (path: string, labels: Record<string, string>) =>
      (await api.list(path, labels)).map(({ metadata }) => `${path}/${metadata.name}`)
    const lists = await Promise.all([
      ...removable.map(({ version, resource }) =>
        found(`${version}/namespaces/${namespace}/${resource}`, { [instance]: name }),
      ),
      found(secrets, { owner: 'helm', name }),
    ])
    return lists.flat()
  }

  return {
    namespaceOf: () => namespace,
    marks,
    async all() {
      const found = new Map<string, Record<string, string>>()
      // Helm outlives a lab that is killed, and may install a plan after its mark was removed: then its record is left.
      for (const { metadata } of await api.list(secrets, { ...mark, owner: 'helm' }))
        found.set(metadata.labels!.name!, { [seen]: metadata.creationTimestamp })
      for (const { metadata } of await api.list(marks, mark)) found.set(metadata.name, metadata.annotations ?? {})
      return [...found].map(([name, annotations]) => ({ name, annotations }))
    },
    async begin(name, annotations) {
      const metadata = { name, labels: { ...mine, ...mark }, annotations }
      await api.create(marks, { apiVersion: 'v1', kind: 'ConfigMap', metadata })
    },
    async end(name) {
      // Controllers may make a pod again until they are gone themselves.
      let paths: string[] = []
      const gone = await until(
        async () => {
          paths = await left(name)
          for (const path of paths) await api.remove(path)
          return paths.length === 0
        },
        { timeout: patience, every: 500 },
      )
      if (!gone)
        throw failure(
          'left-in-cluster',
          `Expected nothing of ${name} to be left in the namespace ${namespace} within ${patience / 1000} s, `
            + `but these are: ${paths.map((path) => path.split('/').slice(-2).join('/')).join(', ')}.`,
          `kubectl --namespace ${namespace} describe says what holds them.`,
        )
      await api.remove(`${marks}/${name}`)
    },
  }
}
