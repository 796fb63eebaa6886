import { usage } from '../../lib/errors.ts'
import type { Api } from './api.ts'
import { withCluster } from './cluster.ts'
import type { Context } from './kubectl.ts'
import { rightName, rightsIn, type Right } from './rights.ts'

/** Ends the command before anything is made if the cluster would refuse a part of the run. */
export const refuseMissingRights = (context: Context, namespace: string | null): Promise<void> =>
  withCluster(context, ({ api }) => refuseWithoutRights(api, context.name, namespace))

export async function refuseWithoutRights(api: Api, context: string, namespace: string | null): Promise<void> {
  const missing = await missingOf(api, namespace)
  const where = namespace === null ? 'in every namespace' : `in the namespace ${namespace}`
  const option = namespace === null ? '' : ` --namespace ${namespace}`
  if (missing.length)
    throw usage(
      'missing-rights',
      `Expected the context ${context} to have the rights that the lab needs ${where}, these are missing: `
        + `${missing.map((right) => `${right.verbs.join(', ')} ${rightName(right)}`).join('; ')}.`,
      `An administrator grants them to n8n-tuned-lab: ./n8n-tuned list --rbac${option} | kubectl apply -f -`,
    )
  if (namespace !== null) await refuseUnknownNamespace(api, namespace)
}

/** Asks for each verb by itself. */
async function missingOf(api: Api, namespace: string | null): Promise<Right[]> {
  const asked = await Promise.all(
    rightsIn(namespace).map(async (right) => {
      const allowed = await Promise.all(right.verbs.map((verb) => isAllowed(api, { ...right, verb, namespace })))
      return { ...right, verbs: right.verbs.filter((_, index) => !allowed[index]) }
    }),
  )
  return asked.filter(({ verbs }) => verbs.length > 0)
}

/** Only the API server knows what its authorizers together allow. */
export async function isAllowed(
  api: Api,
  { group, resource, verb, namespace }: Pick<Right, 'group' | 'resource'> & { verb: string; namespace: string | null },
): Promise<boolean> {
  const [name, subresource] = resource.split('/')
  const review = await api.create<{ status: { allowed: boolean } }>(
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: {
        // Without a namespace it asks for all of them.
        resourceAttributes: {
          group,
          resource: name,
          ...(subresource && { subresource }),
          verb,
          ...(namespace && { namespace }),
        },
      },
    },
  )
  return review.status.allowed
}

/** Only an attempt to make something tells whether the namespace exists, without one more right. */
async function refuseUnknownNamespace(api: Api, namespace: string): Promise<void> {
  const probe = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'n8n-tuned-' } }
  const answer = await api.ask(`/api/v1/namespaces/${namespace}/configmaps?dryRun=All`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    content: Buffer.from(JSON.stringify(probe)),
    timeout: 30_000,
  })
  if (answer?.status === 404)
    throw usage(
      'no-such-namespace',
      `Expected the namespace ${namespace} to exist in the cluster, it does not.`,
      `Make it: kubectl create namespace ${namespace}`,
    )
}
