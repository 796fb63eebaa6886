import { readFile } from 'node:fs/promises'
import type { Plan } from '../../../chart/plan.ts'
import { until } from '../../../lib/await.ts'
import { paths } from '../../../lib/paths.ts'
import type { Disturbance } from '../../target.ts'
import type { Api } from '../api.ts'
import type { Images } from '../images.ts'
import { controllersOf } from './controllers.ts'
import { disturbable, stores } from './store-pod.ts'

const patience = 30_000

/** Gives the stores what the disturbances need that a command inside their containers cannot do. */
export async function prepareStores(
  { disturbances, plan, images }: { disturbances: Disturbance[]; plan: Plan; images: Images },
  api: Api,
  namespace: string,
): Promise<void> {
  const network = await readFile(paths.faultyNetwork, 'utf8')
  for (const store of stores) {
    const hows = new Set(disturbances.filter(({ component }) => component === store).map(({ how }) => how))
    for (const { path, spec } of await controllersOf([store], plan, api, namespace)) {
      const pod = disturbable(spec.template.spec, store, hows, { network, images })
      if (pod === null) continue
      await api.patch(path, { spec: { template: { spec: pod } } })
      await until(
        async () => {
          const { metadata, status } = await api.get(path)
          return status.observedGeneration >= metadata.generation
        },
        { timeout: patience, every: 100 },
      )
      // Otherwise Kubernetes waits until the pod is ready, and then replaces it.
      await api.remove(`/api/v1/namespaces/${namespace}/pods/${path.split('/').at(-1)}-0`)
    }
  }
}
