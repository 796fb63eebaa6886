import { failure } from '../../lib/errors.ts'
import { until } from '../../lib/await.ts'
import type { Api } from './api.ts'
import { seen, type Ground } from './ground.ts'
import { instance, mark, mine, selecting } from './labels.ts'
import { removable } from './rights.ts'

const patience = 180_000

/** Each home is what carries its name in a namespace of the user's, and a ConfigMap that says whose it is. */
export function partsOf(api: Api, namespace: string): Ground {
  const marks = `/api/v1/namespaces/${namespace}/configmaps`
  const secrets = `/api/v1/namespaces/${namespace}/secrets`

  const listed = async (path: string, labels: Record<string, string>): Promise<any[]> =>
    (await api.get(`${path}?labelSelector=${encodeURIComponent(selecting(labels))}`)).items

  /** The paths of all that is left of a home but its mark. */
  async function left(home: string): Promise<string[]> {
    const found = async (path: string, labels: Record<string, string>) =>
      (await listed(path, labels)).map(({ metadata }) => `${path}/${metadata.name}`)
    const lists = await Promise.all([
      ...removable.map(({ version, resource }) =>
        found(`${version}/namespaces/${namespace}/${resource}`, { [instance]: home }),
      ),
      found(secrets, { owner: 'helm', name: home }),
    ])
    return lists.flat()
  }

  return {
    namespaceOf: () => namespace,
    marks,
    async all() {
      const homes = new Map<string, Record<string, string>>()
      // Helm outlives a lab that is killed, and may install a plan after its mark was removed: then its record is left.
      for (const { metadata } of await listed(secrets, { ...mark, owner: 'helm' }))
        homes.set(metadata.labels.name, { [seen]: metadata.creationTimestamp })
      for (const { metadata } of await listed(marks, mark)) homes.set(metadata.name, metadata.annotations)
      return [...homes].map(([name, annotations]) => ({ name, annotations }))
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
