import type { Api } from '../../../../loadtests/src/target/kubernetes/api.ts'
import { releaseIn } from '../../../../loadtests/src/target/kubernetes/release.ts'

const main = (name: string, namespace: string) => ({
  metadata: { namespace, labels: { 'app.kubernetes.io/instance': name } },
})

/** A cluster with these mains, where labs made these namespaces. */
const cluster = (mains: object[], ofLabs: string[] = []) =>
  ({
    ask: async (path: string) => {
      const items = path.includes('/deployments') ? mains : ofLabs.map((name) => ({ metadata: { name } }))
      return { status: 200, text: JSON.stringify({ items }) }
    },
  }) as unknown as Api

it('is the only one there', async () => {
  expect(await releaseIn(cluster([main('flows', 'automation')]))).toEqual({ name: 'flows', namespace: 'automation' })
})

it('is none of a lab’s own', async () => {
  const mains = [main('n8n-tuned', 'n8n-tuned-1'), main('flows', 'automation')]
  expect(await releaseIn(cluster(mains, ['n8n-tuned-1']))).toEqual({ name: 'flows', namespace: 'automation' })
})

it('is unknown where there are several', async () => {
  expect(await releaseIn(cluster([main('one', 'a'), main('two', 'b')]))).toBeUndefined()
})

it('is unknown to a user who may not list Deployments', async () => {
  expect(await releaseIn({ ask: async () => ({ status: 403, text: '{}' }) } as unknown as Api)).toBeUndefined()
})
