import type { Api } from '../../../../loadtests/src/targets/kubernetes/api.ts'
import type { NamespaceKind } from '../../../../loadtests/src/targets/kubernetes/namespace-kinds.ts'
import { releaseIn } from '../../../../loadtests/src/targets/kubernetes/surroundings.ts'

const main = (name: string, namespace: string) => ({
  metadata: { namespace, labels: { 'app.kubernetes.io/instance': name } },
})

/** The release that is found among these mains, where labs have these namespaces; and where was looked for it. */
async function found(
  mains: object[],
  { namespaces = [] as string[], given = null as string | null, status = 200 } = {},
) {
  const looked: string[] = []
  const api = {
    ask: async (path: string) => {
      looked.push(path.split('?')[0]!)
      return { status, text: JSON.stringify({ items: mains }) }
    },
  } as unknown as Api
  const kind = { all: async () => namespaces.map((name) => ({ name, annotations: {} })) } as unknown as NamespaceKind
  return { release: await releaseIn(api, kind, given), looked }
}

it('is the only one there', async () => {
  const { release, looked } = await found([main('flows', 'automation')])
  expect(release).toEqual({ name: 'flows', namespace: 'automation' })
  expect(looked).toEqual(['/apis/apps/v1/deployments'])
})

it('is none of a lab’s own', async () => {
  const mains = [main('n8n-tuned-1', 'n8n-tuned-1'), main('flows', 'automation')]
  expect((await found(mains, { namespaces: ['n8n-tuned-1'] })).release).toEqual({
    name: 'flows',
    namespace: 'automation',
  })
})

it('is looked for only in the namespace that was given', async () => {
  const { looked } = await found([], { given: 'automation' })
  expect(looked).toEqual(['/apis/apps/v1/namespaces/automation/deployments'])
})

it('is unknown where there are several', async () => {
  expect((await found([main('one', 'a'), main('two', 'b')])).release).toBeUndefined()
})

it('is unknown to a user who may not list Deployments', async () => {
  expect((await found([main('flows', 'automation')], { status: 403 })).release).toBeUndefined()
})
