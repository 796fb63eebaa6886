import type { Api } from './api.ts'
import type { Ground } from './ground.ts'
import { instance, selecting } from './labels.ts'
import type { Release } from '../../model/environment.ts'

const mains = selecting({ 'app.kubernetes.io/name': 'n8n-tuned', 'app.kubernetes.io/component': 'main' })

/**
 * The operator's own release of the chart, so that the report can name it: in the given namespace, or anywhere. None
 * where there are several, or where the user may not look there.
 */
export async function releaseIn(api: Api, ground: Ground, given: string | null): Promise<Release | undefined> {
  const path = `/apis/apps/v1${given === null ? '' : `/namespaces/${given}`}/deployments`
  const said = await api.ask(`${path}?labelSelector=${encodeURIComponent(mains)}`, { timeout: 10_000 })
  if (said?.status !== 200) return undefined
  const ofLabs = new Set((await ground.all()).map(({ name }) => name))
  const deployments: any[] = JSON.parse(said.text).items
  const found = deployments.filter(({ metadata }) => !ofLabs.has(metadata.labels[instance]))
  if (found.length !== 1) return undefined
  const { namespace, labels } = found[0].metadata
  return { name: labels[instance], namespace }
}
