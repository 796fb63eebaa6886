import type { Plan } from '../../chart/plan.ts'
import { faultErrors } from '../../shared/fault-errors.ts'
import { until } from '../../support/await.ts'
import type { Disturbance } from '../target.ts'
import type { Api } from './api.ts'
import { clusterErrors } from './errors.ts'
import { exhaustMemory } from './exhaust-memory.ts'
import { freeze } from './freeze.ts'
import { killRunner } from './kill-runner.ts'
import type { Watch } from './watch.ts'

interface InstalledPlan {
  api: Api
  context: string
  namespace: string
  plan: Plan
  watch: Watch
}

const onlyOnOneMachine = () => faultErrors.faultElsewhere('one machine: leave out --target')

type Workload = Plan['workloads'][number]

const roles = ['main', 'worker', 'webhook']
/** The longest that a drain or a rolling restart may take. */
const patience = 300_000

/** Disturbs one pod of a component, or all of them; returns a function that ends the disturbance. */
export async function disturb(
  { component, replicas, how }: Disturbance,
  { api, context, namespace, plan, watch }: InstalledPlan,
): Promise<() => Promise<void>> {
  if (component === 'runner') return killRunner(context, namespace, watch)
  const components = component === 'n8n' ? roles : [component]
  const workloads = plan.workloads.filter((workload) => components.includes(workload.component))
  const pods = [...watch.pods()]
    .filter(([slot]) => components.some((one) => slot.startsWith(`${one}-`)))
    .map(([, pod]) => pod)
    .slice(0, replicas === 'one' ? 1 : undefined)
  const hit = pods.map(({ metadata }) => `/api/v1/namespaces/${namespace}/pods/${metadata.name}`)
  const controllers = () => controllersOf(workloads, api, namespace)
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
        for (const { path, replicas: before } of held) await api.patch(path, { spec: { replicas: before } })
      }
    }
    case 'exhaust-memory':
      for (const pod of pods) await exhaustMemory(pod, { context, namespace })
      return nothing
    case 'evict':
      await Promise.all(hit.map((pod) => evict(api, pod)))
      return nothing
    case 'roll':
      for (const { path } of await controllers()) await roll(api, path)
      return nothing
    case 'freeze': {
      if (component === 'redis') throw onlyOnOneMachine()
      const part = component === 'postgresql' ? 'postgresql' : 'n8n'
      const places = pods.map(({ metadata }) => ({ context, namespace, pod: metadata.name }))
      const thaws = await Promise.all(places.map((place) => freeze(part, place)))
      return async () => void (await Promise.all(thaws.map((thaw) => thaw())))
    }
    // A command inside the container cannot change its network, its disk or its clock.
    case 'cut-off':
    case 'lossy':
    case 'fill-disk':
    case 'move-clock':
      throw onlyOnOneMachine()
  }
}

/** Waits until every role runs what was last asked of its workload. */
export async function rolledOut({
  api,
  namespace,
  plan,
}: Pick<InstalledPlan, 'api' | 'namespace' | 'plan'>): Promise<void> {
  const ofN8n = plan.workloads.filter(({ component }) => roles.includes(component))
  for (const { path } of await controllersOf(ofN8n, api, namespace)) await settled(api, path)
}

const controllersOf = (workloads: Workload[], api: Api, namespace: string) =>
  Promise.all(workloads.map(({ name }) => controllerOf(api, namespace, name)))

const kinds = { deploy: 'deployments', set: 'statefulsets' }

/** The object that runs a workload, which the plan names with its kind. */
async function controllerOf(
  api: Api,
  namespace: string,
  workload: string,
): Promise<{ path: string; replicas: number }> {
  const [kind, name] = workload.split('/') as [keyof typeof kinds, string]
  const path = `/apis/apps/v1/namespaces/${namespace}/${kinds[kind]}/${name}`
  return { path, replicas: (await api.get(path)).spec.replicas }
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
    throw clusterErrors.clusterRefused(
      `the eviction of ${pod.split('/').at(-1)}`,
      `its disruption budget held it for ${patience / 1000} s`,
    )
}

async function roll(api: Api, path: string): Promise<void> {
  await api.patch(path, {
    spec: { template: { metadata: { annotations: { 'n8n-tuned/restarted': new Date().toISOString() } } } },
  })
  await settled(api, path)
}

async function settled(api: Api, path: string): Promise<void> {
  await until(
    async () => {
      const { metadata, spec, status } = await api.get(path)
      return (
        status.observedGeneration >= metadata.generation
        && status.updatedReplicas === spec.replicas
        && status.readyReplicas === spec.replicas
        && status.replicas === spec.replicas
      )
    },
    { timeout: patience, every: 500 },
  )
}
