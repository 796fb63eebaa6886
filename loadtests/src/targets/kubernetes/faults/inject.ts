import type { Plan } from '../../../chart/plan.ts'
import { until } from '../../../lib/await.ts'
import type { ProcessFault } from '../../../model/fault.ts'
import { refused, type Api } from '../api.ts'
import type { Cluster } from '../cluster.ts'
import type { Watch } from '../watch.ts'
import { controllersOf, settled } from './controllers.ts'
import { exhaustMemory, failNetwork, fillDisk, freeze, injectIntoPodRunner, moveClock, type PodAt } from './inside.ts'

interface InstalledPlan {
  cluster: Pick<Cluster, 'api' | 'context'>
  namespace: string
  plan: Plan
  watch: Watch
}

const roles = ['main', 'worker', 'webhook']
/** The longest that a drain or a rolling restart may take. */
const patience = 300_000

/** Injects a fault into one pod of a component, or all of them; returns a function that recovers from it. */
export async function injectIntoPods(
  { component, replicas, how }: ProcessFault,
  { cluster: { api, context }, namespace, plan, watch }: InstalledPlan,
): Promise<() => Promise<void>> {
  if (component === 'runner') return injectIntoPodRunner(how, { context, namespace }, watch)
  const components = component === 'n8n' ? roles : [component]
  const pods = [...watch.pods()]
    .filter(([slot]) => components.some((one) => slot.startsWith(`${one}-`)))
    .map(([, pod]) => pod)
    .slice(0, replicas === 'one' ? 1 : undefined)
  const hit = pods.map(({ metadata }) => `/api/v1/namespaces/${namespace}/pods/${metadata.name}`)
  const controllers = () => controllersOf(components, plan, api, namespace)
  const inEach = async (begin: (pod: PodAt) => Promise<() => Promise<void>>) => {
    const ends = await Promise.all(pods.map(({ metadata }) => begin({ context, namespace, pod: metadata.name })))
    return async () => void (await Promise.all(ends.map((end) => end())))
  }
  const nothing = async () => {}
  switch (how) {
    case 'kill':
      for (const pod of hit) await api.remove(pod)
      return nothing
    case 'end':
    case 'interrupt':
      for (const pod of hit) await api.ask(pod, { method: 'DELETE', timeout: 30_000 })
      return nothing
    case 'hold': {
      const held = await controllers()
      for (const { path } of held) await api.patch(path, { spec: { replicas: 0 } })
      for (const pod of hit) await api.remove(pod)
      return async () => {
        for (const { path, spec } of held) await api.patch(path, { spec: { replicas: spec.replicas } })
      }
    }
    case 'exhaust-memory':
      for (const pod of pods) await exhaustMemory(pod, { context, namespace, pod: pod.metadata.name })
      return nothing
    case 'evict':
      await Promise.all(hit.map((pod) => evict(api, pod)))
      return nothing
    case 'roll':
      for (const { path } of await controllers()) await roll(api, path)
      return nothing
    case 'freeze':
      return inEach((pod) => freeze(component === 'redis' || component === 'postgresql' ? component : 'n8n', pod))
    case 'cut-off':
    case 'lossy':
      return inEach((pod) => failNetwork(how, pod))
    case 'fill-disk':
      return inEach(fillDisk)
    case 'move-clock':
      return inEach(moveClock)
  }
}

/** Waits until every role runs what was last asked of its workload. */
export async function rolledOut({ api, namespace, plan }: { api: Api; namespace: string; plan: Plan }): Promise<void> {
  for (const { path } of await controllersOf(roles, plan, api, namespace)) await settled(api, path, patience)
}

/** Asks until the disruption budget allows the eviction, as a drain does. */
async function evict(api: Api, pod: string): Promise<void> {
  const content = Buffer.from(
    JSON.stringify({
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: pod.split('/').at(-1), namespace: pod.split('/')[4] },
    }),
  )
  const gone = await until(
    async () => {
      const answer = await api.ask(`${pod}/eviction`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        content,
        timeout: 30_000,
      })
      return answer !== null && (answer.status < 300 || answer.status === 404)
    },
    { timeout: patience, every: 1000 },
  )
  if (!gone)
    throw refused(`the eviction of ${pod.split('/').at(-1)}`, `its disruption budget held it for ${patience / 1000} s`)
}

async function roll(api: Api, path: string): Promise<void> {
  await api.patch(path, {
    spec: { template: { metadata: { annotations: { 'n8n-tuned/restarted': new Date().toISOString() } } } },
  })
  await settled(api, path, patience)
}
