import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Container, Plan } from '../../chart/plan.ts'
import type { Order, Running } from '../target.ts'
import { localImage, type LocalImage } from './images/image.ts'
import type { Machine } from './machine.ts'
import { makePod, portOf, type Pod } from './pod.ts'
import { podReady, webhookReady } from './ready.ts'
import { serviceKey } from './resolve.ts'
import { startPod, type Place, type RunningPod } from './start-pod.ts'
import { seedPlan } from './seed-plan.ts'

let plans = 0

/** As in a cluster, what is up late is waited for; only the workflows are there before n8n's first start. */
export async function startPlan(plan: Plan, order: Order, machine: Machine): Promise<Running> {
  const name = `plan-${plans++}`
  const folder = join(machine.scratch.path, name)
  await mkdir(folder, { mode: 0o711 })
  await mkdir(order.logs, { recursive: true })
  const started: RunningPod[] = []
  let downed: Promise<unknown> | undefined
  const down = async () => void (await (downed ??= Promise.all(started.flatMap(({ containers }) => [...containers.values()].map((container) => container.stop())))))
  machine.register({ down })

  const images = await installImages(plan, order)
  const imageOf = (container: Container) => images.get(imageKey(container))!
  const pods = await makePods(plan, folder, imageOf)
  const main = mainOf(pods)
  const place: Place = { name, order, machine, services: servicesOf(plan, pods), imageOf, started: (pod) => started.push(pod), prepared: async (pod) => pod === main && seedPlan(pod, place) }
  const isStore = ({ workload }: Pod) => imageOf(workload.containers[0]!).kind === 'store'
  await together(pods.filter(isStore), place)
  await together(pods.filter((pod) => !isStore(pod)), place)

  const entry = entryOf(pods)
  const url = `http://127.0.0.1:${portOf(entry, 'http')}`
  const ready = async (signal: AbortSignal) => {
    for (const pod of started) await podReady(pod, signal)
    for (const { webhook } of order.workflows) await webhookReady(webhook, url, started.find(({ pod }) => pod === entry)!, signal)
  }
  await ready(order.signal)
  for (const { pod } of started) order.onEvent({ at: Date.now(), process: pod.name, kind: 'ready' })
  const { env: settings } = started.find(({ pod }) => pod === main)!.inside([])
  return { url, settings, processes: started.flatMap(({ processes }) => processes), ready, down }
}

/** All at once, since they wait for each other by themselves; when one fails nobody waits for it any more. */
async function together(pods: Pod[], place: Place): Promise<void> {
  const abort = new AbortController()
  const signal = AbortSignal.any([place.order.signal, abort.signal])
  const starting = pods.map(async (pod) => {
    try {
      await podReady(await startPod(pod, place, signal), signal)
    } catch (error) {
      abort.abort()
      throw error
    }
  })
  const failures = (await Promise.allSettled(starting)).filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason)
  // The others were told to stop: their words are not the reason.
  const cause = failures.find(({ name }) => name !== 'AbortError') ?? failures[0]
  if (cause) throw cause
}

const imageKey = ({ image }: Container) => `${image.repository}:${image.tag}`

async function installImages({ workloads }: Plan, order: Order): Promise<Map<string, LocalImage>> {
  const containers = workloads.flatMap(({ init, containers }) => [...init, ...containers])
  const images = new Map<string, LocalImage>()
  for (const container of containers) {
    if (!images.has(imageKey(container))) images.set(imageKey(container), await localImage(container.image, order))
  }
  return images
}

async function makePods({ workloads }: Plan, folder: string, imageOf: Place['imageOf']): Promise<Pod[]> {
  const replicas = workloads.flatMap((workload) => Array.from({ length: workload.replicas }, (_, index) => ({ workload, index })))
  return Promise.all(replicas.map(({ workload, index }) => makePod(workload, index, folder, imageOf)))
}

const mainOf = (pods: Pod[]) => pods.find(({ workload }) => workload.component === 'main')!
/** Webhook processors take the webhooks where there are any. */
const entryOf = (pods: Pod[]) => pods.find(({ workload }) => workload.component === 'webhook') ?? mainOf(pods)

function servicesOf(plan: Plan, pods: Pod[]): Map<string, number> {
  const backends = plan.services.map((service) => [serviceKey(service), service, pods.find(({ workload }) => workload.component === service.component)] as const)
  return new Map(backends.flatMap(([key, { targetPort }, pod]) => (pod ? [[key, portOf(pod, targetPort)] as const] : [])))
}
