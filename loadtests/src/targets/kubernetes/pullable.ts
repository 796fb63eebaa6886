import { randomBytes } from 'node:crypto'
import { until } from '../../lib/await.ts'
import type { Api } from './api.ts'
import { withCluster } from './cluster.ts'
import { namespacesOf, type OwnNamespace } from './namespaces.ts'
import { labelsIn, type PodObject } from './objects.ts'
import type { Context } from './kubectl.ts'
import { cannotBePulled } from './pods.ts'

const patience = 180_000

/** Those of the images that the cluster cannot pull. Only a pod can tell: each gets one, which ends at once. */
export async function imagesNotPullable(context: Context, given: string | null, images: string[]): Promise<string[]> {
  const wanted = [...new Set(images)]
  if (!wanted.length) return []
  return withCluster(context, async ({ api }) => {
    const namespaces = namespacesOf(api, given)
    const own = namespaces.own(`n8n-tuned-${randomBytes(4).toString('hex')}`)
    try {
      await namespaces.make(own.name)
      const missing = await Promise.all(
        wanted.map((image, index) => isMissing(api, own, `${own.name}-image-${index}`, image)),
      )
      return wanted.filter((_, index) => missing[index])
    } finally {
      await namespaces.close()
    }
  })
}

/** An image that is still being pulled at the end counts as there: n8n's own pods then wait for it. */
async function isMissing(api: Api, own: OwnNamespace, name: string, image: string): Promise<boolean> {
  const pods = `/api/v1/namespaces/${own.namespace}/pods`
  await api.create(pods, triesToPull(own, name, image))
  const told = await until(
    async () => {
      const pod = await api.get<PodObject>(`${pods}/${name}`)
      const status = pod.status.containerStatuses?.[0]
      if (cannotBePulled(status?.state?.waiting?.reason)) return 'missing'
      return status?.imageID ? 'there' : undefined
    },
    { timeout: patience, every: 250 },
  )
  return told === 'missing'
}

const triesToPull = (own: OwnNamespace, name: string, image: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: labelsIn(own.name) },
  spec: {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 0,
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'pull',
        image,
        command: ['true'],
        resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { cpu: '100m', memory: '64Mi' } },
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
  },
})
