import { planOf } from '../../../../../loadtests/src/run/cells.ts'
import type { Api } from '../../../../../loadtests/src/targets/kubernetes/api.ts'
import { injectIntoPods } from '../../../../../loadtests/src/targets/kubernetes/faults/inject.ts'
import type { Watch } from '../../../../../loadtests/src/targets/kubernetes/watch.ts'
import { pod } from '../made-pods.ts'

const queue = { executions: { mode: 'queue' }, database: { type: 'embedded' } }

/** A cluster that notes what is changed in it. */
async function cluster() {
  const { plan } = await planOf(queue)
  const changed: [string, unknown][] = []
  const pods = new Map([
    ['worker-0', pod('n8n-tuned-worker-a', 'worker')],
    ['worker-1', pod('n8n-tuned-worker-b', 'worker')],
    ['redis-0', pod('n8n-tuned-redis-0', 'redis')],
  ])
  const api = {
    get: async () => ({ spec: { replicas: 2 } }),
    patch: async (path: string, change: unknown) => void changed.push([path, change]),
    remove: async (path: string) => void changed.push([path, 'removed']),
  } as unknown as Api
  return {
    changed,
    there: {
      cluster: { api, context: 'none' },
      namespace: 'lab',
      plan,
      watch: { pods: () => pods } as unknown as Watch,
    },
  }
}

test('what is held is gone until it is let go, and comes back as often as it was there', async () => {
  const { changed, there } = await cluster()
  const release = await injectIntoPods({ component: 'worker', replicas: 'all', how: 'hold' }, there)
  const deployment = '/apis/apps/v1/namespaces/lab/deployments/n8n-tuned-worker'
  expect(changed).toEqual([
    [deployment, { spec: { replicas: 0 } }],
    ['/api/v1/namespaces/lab/pods/n8n-tuned-worker-a', 'removed'],
    ['/api/v1/namespaces/lab/pods/n8n-tuned-worker-b', 'removed'],
  ])
  await release()
  expect(changed.at(-1)).toEqual([deployment, { spec: { replicas: 2 } }])
})

test('a store is held by its StatefulSet', async () => {
  const { changed, there } = await cluster()
  await injectIntoPods({ component: 'redis', replicas: 'all', how: 'hold' }, there)
  expect(changed[0]![0]).toBe('/apis/apps/v1/namespaces/lab/statefulsets/n8n-tuned-redis')
})

test('a kill of one takes one pod alone', async () => {
  const { changed, there } = await cluster()
  await injectIntoPods({ component: 'worker', replicas: 'one', how: 'kill' }, there)
  expect(changed).toEqual([['/api/v1/namespaces/lab/pods/n8n-tuned-worker-a', 'removed']])
})

test('memory is not exhausted where it would be the node’s', async () => {
  const { there } = await cluster()
  const what = { component: 'worker', replicas: 'one', how: 'exhaust-memory' } as const
  await expect(injectIntoPods(what, there)).rejects.toThrow('got none for the container n8n of n8n-tuned-worker')
})
