import type { Api } from '../../../../loadtests/src/targets/kubernetes/api.ts'
import type { NamespaceKind } from '../../../../loadtests/src/targets/kubernetes/namespace-kinds.ts'
import { releaseIn, surroundingsOf } from '../../../../loadtests/src/targets/kubernetes/surroundings.ts'

describe('the machine is all nodes together', () => {
  const nodeInfo = { kernelVersion: '6.1', kubeletVersion: 'v1.34.4', architecture: 'amd64' }
  const machineOf = async (...capacities: { cpu: string; memory: string }[]) => {
    const items = capacities.map((capacity) => ({ status: { capacity, nodeInfo } }))
    const api = {
      ask: async (path: string) =>
        path === '/api/v1/nodes' ? { status: 200, text: JSON.stringify({ items }) } : { status: 403, text: '' },
      find: async () => null,
    } as unknown as Api
    return (await surroundingsOf(api, 'context', 'flows')).machine
  }

  it.each([
    ['8130132Ki', 8_130_132 * 2 ** 10],
    ['7940Mi', 7940 * 2 ** 20],
    ['8Gi', 2 ** 33],
    ['8589934592', 2 ** 33],
  ])('with memory as its kubelet writes it: %s', async (memory, bytes) => {
    expect(await machineOf({ cpu: '4', memory })).toMatchObject({ cores: 4, memory: bytes })
  })

  it('whatever unit each of them has', async () => {
    const machine = await machineOf({ cpu: '2', memory: '4096Mi' }, { cpu: '1500m', memory: '4Gi' })
    expect(machine).toMatchObject({ cores: 3.5, memory: 2 ** 33 })
  })
})

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
