import type { Release } from '../../shared/release.ts'
import type { Api } from './api.ts'
import type { Ground } from './ground.ts'
import { instance, selecting } from './labels.ts'

const mains = selecting({ 'app.kubernetes.io/name': 'n8n-tuned', 'app.kubernetes.io/component': 'main' })

/**
 * The operator's own release of the chart, so that the report can name it: in the given namespace, or anywhere. None
 * where there are several, or where the user may not look there.
 */
export async function releaseIn(
  api: Api,
  { marks, selector }: Ground,
  given: string | null,
): Promise<Release | undefined> {
  const where = given === null ? '' : `/namespaces/${given}`
  const [deployments, homes] = await Promise.all([
    listed(api, `/apis/apps/v1${where}/deployments`, mains),
    listed(api, marks, selector),
  ])
  const ofLabs = new Set(homes.map(({ metadata }) => metadata.name))
  const found = deployments.filter(({ metadata }) => !ofLabs.has(metadata.labels[instance]))
  if (found.length !== 1) return undefined
  const { namespace, labels } = found[0].metadata
  return { name: labels[instance], namespace }
}

async function listed(api: Api, path: string, labels: string): Promise<any[]> {
  const said = await api.ask(`${path}?labelSelector=${encodeURIComponent(labels)}`, { timeout: 10_000 })
  return said?.status === 200 ? JSON.parse(said.text).items : []
}
