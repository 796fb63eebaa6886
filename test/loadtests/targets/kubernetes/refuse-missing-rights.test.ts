import type { Api } from '../../../../loadtests/src/targets/kubernetes/api.ts'
import { refuseWithoutRights } from '../../../../loadtests/src/targets/kubernetes/refuse-missing-rights.ts'
import { rightName, rightsIn } from '../../../../loadtests/src/targets/kubernetes/rights.ts'
import { refusalOf } from '../../../support/refusal.ts'

interface Asked {
  group: string
  resource: string
  subresource?: string
  verb: string
  namespace?: string
}
const said = ({ group, resource, subresource, verb }: Asked) =>
  `${verb} ${rightName({ group, resource: subresource ? `${resource}/${subresource}` : resource })}`

/** A cluster that allows everything but these; what it was asked. */
function cluster(...denied: string[]) {
  const asked: Asked[] = []
  const api = {
    create: async (_: string, { spec }: any) => {
      asked.push(spec.resourceAttributes)
      return { status: { allowed: !denied.includes(said(spec.resourceAttributes)) } }
    },
    ask: async (path: string) => ({ status: path.includes('/nowhere/') ? 404 : 201, text: '{}' }),
  } as unknown as Api
  return { api, asked }
}

const every = (namespace: string | null) =>
  rightsIn(namespace).flatMap((right) => right.verbs.map((verb) => `${verb} ${rightName(right)}`))

test.each([['n8n-lab'], [null]])(
  'each right that is printed is asked for, and no other: --namespace %s',
  async (given) => {
    const { api, asked } = cluster()
    await refuseWithoutRights(api, 'production', given)
    expect(asked.map(said).sort()).toEqual(every(given).sort())
    expect(new Set(asked.map(({ namespace }) => namespace))).toEqual(new Set([given ?? undefined]))
  },
)

test.each(every(null))('a run without this right is refused with its name: %s', async (right) => {
  const refusal = await refusalOf(() => refuseWithoutRights(cluster(right).api, 'production', null))
  expect(refusal).toMatchObject({
    code: 'missing-rights',
    exit: 2,
    message: expect.stringMatching(/^Expected the context production to have .* in every namespace/),
    hint: expect.stringContaining('./n8n-tuned list --rbac | kubectl apply -f -'),
  })
  expect(refusal.message).toContain(`missing: ${right}.`)
})

test('several are named together, by resource', async () => {
  const { api } = cluster('create pods/eviction', 'get deployments.apps', 'patch deployments.apps')
  const { message, hint } = await refusalOf(() => refuseWithoutRights(api, 'production', 'n8n-lab'))
  expect(message).toContain('in the namespace n8n-lab')
  expect(message).toContain('missing: create pods/eviction; get, patch deployments.apps.')
  expect(hint).toContain('list --rbac --namespace n8n-lab |')
})

test('a namespace that is not there is said to be so', async () => {
  expect(await refusalOf(() => refuseWithoutRights(cluster().api, 'production', 'nowhere'))).toMatchObject({
    code: 'no-such-namespace',
    exit: 2,
    hint: 'Make it: kubectl create namespace nowhere',
  })
})
