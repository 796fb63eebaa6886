import type { Release } from '../../shared/release.ts'
import type { Api } from './api.ts'
import { labs } from './namespaces.ts'

const mains = 'app.kubernetes.io/name=n8n-tuned,app.kubernetes.io/component=main'

/**
 * The operator's own release of the chart, so that the report can name it. None where there are several, or where the
 * user may not look into every namespace.
 */
export async function releaseIn(api: Api): Promise<Release | undefined> {
  const [deployments, namespaces] = await Promise.all([
    listed(api, `/apis/apps/v1/deployments?labelSelector=${encodeURIComponent(mains)}`),
    listed(api, `/api/v1/namespaces?labelSelector=${encodeURIComponent(labs)}`),
  ])
  const ofLabs = new Set(namespaces.map(({ metadata }) => metadata.name))
  const found = deployments.filter(({ metadata }) => !ofLabs.has(metadata.namespace))
  if (found.length !== 1) return undefined
  const { namespace, labels } = found[0].metadata
  return { name: labels['app.kubernetes.io/instance'], namespace }
}

async function listed(api: Api, path: string): Promise<any[]> {
  const said = await api.ask(path, { timeout: 10_000 })
  return said?.status === 200 ? JSON.parse(said.text).items : []
}
