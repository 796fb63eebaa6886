import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../lib/make-folder.ts'
import type { Container, Plan, Service } from '../../chart/plan.ts'
import { until } from '../../lib/await.ts'
import { arePublished } from '../../n8n/publish.ts'
import type { Order, SeedWorkflow } from '../target.ts'
import { begunByAsking } from '../answers.ts'
import { neverReady } from '../refusals.ts'
import type { Running } from '../../n8n/running.ts'
import { frontsOf, isBalanced } from './balancer.ts'
import { injectIntoContainers, giveOwnDisk, openOwnClock } from './faults.ts'
import type { Engine } from './engine.ts'
import { type LocalImage, n8nOn, type User } from './images.ts'
import type { Front, LocalMachine, Post } from './machine.ts'
import { machineNetwork, type Network } from './network.ts'
import { openOutside } from './outside/outside.ts'
import { makePod, portOf, urlOf, type LocalPod, type PodPlace } from './pod.ts'
import { failedForLater, podReady, webhookReadyHere } from './ready.ts'
import { serviceKey } from '../../chart/resolve.ts'
import { seedPlan } from './seed.ts'
import { openSealed } from './sealed.ts'
import { fetches, type PlanContext, type RunningPod, settingsFromHere, startPod } from './start-pod.ts'

let plans = 0
/** Milliseconds. After that, what is wrong shows at the first request. */
const publishing = { timeout: 60_000, every: 200 }
/** How many workflows are looked at together. */
const lanes = 8

/**
 * As in a cluster, n8n waits for stores that start late. Only the workflows have to be there before its first start.
 */
export async function startPlanHere(plan: Plan, order: Order, machine: LocalMachine): Promise<Running> {
  const name = `plan-${plans++}`
  const folder = join(machine.scratch.path, name)
  await mkdir(folder, { mode: 0o700 })
  makeFolder(order.logs)
  const started: RunningPod[] = []
  const stops: (() => Promise<void>)[] = []
  let downed: Promise<unknown> | undefined
  const down = async () => void (await (downed ??= Promise.all(stops.map((stop) => stop()))))
  machine.register({ down })

  const { engine } = machine
  const images = await installImages(plan, order, engine)
  const isStore = ({ workload }: LocalPod) => images.get(imageKey(workload.containers[0]!))!.kind !== 'n8n'
  const post = { name, folder, order, machine, started: ({ stop }: { stop(): Promise<void> }) => void stops.push(stop) }
  const { network, user, folderOf } = await openPlace([...images.values()], post)
  const callers = () => started.filter(({ pod }) => !isStore(pod))
  const place = { network, user, folder: user ? await folderOf(user) : folder }
  const outside = machine.outside && (await openOutside(machine.outside, callers, post, place))
  const imageOf = (container: Container) => {
    const image = within(images.get(imageKey(container))!, network, user)
    return (!fetches(container) && outside?.leading(image)) || image
  }
  const balancer = isBalanced(plan) ? await machine.openBalancer(post, network) : null
  const pods = await makePods(plan, {
    folder,
    imageOf,
    network: balancer?.network ?? network,
    engine,
    folderOf,
  })
  const hows = new Set(order.processFaults?.map(({ how }) => how))
  if (hows.has('fill-disk') && network) await giveOwnDisk(pods, network.holder)
  if (hows.has('move-clock')) {
    const clock = await openOwnClock(place.folder)
    for (const pod of pods.filter((pod) => !isStore(pod))) pod.clock = clock
  }
  const fronts = await frontsOf(plan, pods)
  const balancing = await balancer?.balance([...fronts.values()])
  const main = pods.find(({ workload }) => workload.component === 'main')
  const context: PlanContext = {
    name,
    order,
    machine,
    services: servicesOf(plan, pods, fronts),
    serves: ({ workload }) => workload.component === entryOf(pods),
    imageOf,
    mock: outside?.ports,
    started(pod) {
      started.push(pod)
      stops.push(() => Promise.all([...pod.containers.values()].map((container) => container.stop())).then(() => {}))
    },
    prepared: async (pod) => pod === main && seedPlan(pod, context),
  }
  await together(pods.filter(isStore), context)
  await together(
    pods.filter((pod) => !isStore(pod)),
    context,
  )

  const [n8n] = main?.workload.containers ?? []
  const settings = main && n8n ? settingsFromHere(main, n8n, context) : null
  // Whether those with a webhook are published, their first request shows.
  const calledOnesPublished = async (signal: AbortSignal) => {
    const own = new Set(order.workflows.map(({ id }) => id))
    const called = order.workflows.flatMap(({ imports }) => imports.map(({ id }) => id)).filter((id) => !own.has(id))
    if (settings && n8n) await until(() => arePublished(settings, n8n.image.tag, called), { ...publishing, signal })
  }
  const entries = started.filter(({ pod }) => context.serves(pod))
  const askedFor = (entry: RunningPod, { webhook }: SeedWorkflow) =>
    (webhook.onMain && started.find(({ pod }) => pod === main)) || entry
  const known = new Map<RunningPod, number>()
  const ready = async (signal: AbortSignal) => {
    for (const pod of started) await podReady(pod, signal)
    // Calling a webhook begins an execution, and only a new process may not have it yet.
    const others = entries.filter((entry) => known.get(entry) !== livesOf(entry))
    const isFirst = known.size === 0
    const look = async (entry: RunningPod, workflow: SeedWorkflow) => {
      const { webhook } = workflow
      const asked = askedFor(entry, workflow)
      const url = urlOf(asked.pod, 'http')
      const answer = await webhookReadyHere(webhook, url, asked, signal, isFirst ? undefined : failedForLater)
      if (!answer) return
      if (!order.onAnswer)
        throw neverReady(
          asked.pod.name,
          `${webhook.method} ${webhook.path.split('?')[0]} answered ${answer.status}, and not with success`,
          answer.text.slice(0, 300),
          [...asked.containers.values()].flatMap((container) => container.lastLines()),
        )
      order.onAnswer(workflow, answer)
    }
    if (isFirst) await calledOnesPublished(signal)
    for (const entry of others) {
      known.set(entry, livesOf(entry))
      // Each answers when its execution has ended, which may take long: several at once, but not all.
      const left = [...order.workflows]
      const lane = async () => {
        for (let one = left.shift(); one; one = left.shift()) await look(entry, one)
      }
      await Promise.all(Array.from({ length: lanes }, lane))
    }
    return others.length * begunByAsking(order.workflows)
  }
  await ready(order.signal)
  for (const { pod } of started) order.onEvent({ at: Date.now(), process: pod.name, kind: 'ready' })
  return {
    url: urlBefore(entries[0]!.pod, fronts),
    ...(main && { mainUrl: urlBefore(main, fronts) }),
    settings,
    stores: main ? storesFrom(main, plan, context.services) : [],
    processes: [...(balancing ? [balancing] : []), ...started.flatMap(({ processes }) => processes)],
    ready,
    async ask({ id }, signal) {
      const workflow = order.workflows.find((one) => one.id === id)!
      const asked = askedFor(entries[0]!, workflow)
      return webhookReadyHere(workflow.webhook, urlOf(asked.pod, 'http'), asked, signal, 0)
    },
    ...(outside && { outside: outside.count }),
    inject: (what) => injectIntoContainers(what, started),
    down,
  }
}

/** Where the plan runs: apart from this machine's network, files and users, as far as that can be had. */
async function openPlace(images: LocalImage[], post: Post) {
  const { sealing, scratch } = post.machine
  const folders = new Map<number, Promise<string>>()
  const folderOf = (user: User) => {
    const folder = folders.get(user.uid) ?? scratch.folderOf(user)
    folders.set(user.uid, folder)
    return folder
  }
  if (!sealing) return { user: null, folderOf }
  const { reach, user } = sealing
  const users = [user, ...images.map((image) => image.user)].filter((one) => one !== null)
  const given = await Promise.all(users.map(folderOf))
  const network = await openSealed(reach, [post.folder, ...new Set(given)], post)
  post.machine.opened(network)
  return { network, user, folderOf }
}

/** The image as it starts there. */
const within = (image: LocalImage, { listen }: Network = machineNetwork, user: User | null): LocalImage => ({
  ...image,
  ...(image.kind === 'n8n' && { env: { ...image.env, ...n8nOn(listen) } }),
  user: image.user ?? user,
})

const livesOf = ({ containers }: RunningPod) =>
  [...containers.values()].reduce((sum, container) => sum + container.restarts(), 0)

/** All at once, because they wait for each other; if one fails, none waits any more. */
async function together(pods: LocalPod[], context: PlanContext): Promise<void> {
  const abort = new AbortController()
  const signal = AbortSignal.any([context.order.signal, abort.signal])
  const starting = pods.map(async (pod) => {
    try {
      await podReady(await startPod(pod, context, signal), signal)
    } catch (error) {
      abort.abort()
      throw error
    }
  })
  const failures = (await Promise.allSettled(starting))
    .filter((outcome) => outcome.status === 'rejected')
    .map(({ reason }) => reason)
  // The others were told to stop, so their errors are not the reason.
  const cause = failures.find(({ name }) => name !== 'AbortError') ?? failures[0]
  if (cause) throw cause
}

const imageKey = ({ image }: Container) => `${image.repository}:${image.tag}`

async function installImages({ workloads }: Plan, order: Order, engine: Engine): Promise<Map<string, LocalImage>> {
  const containers = workloads.flatMap(({ init, containers }) => [...init, ...containers])
  const images = new Map<string, LocalImage>()
  for (const container of containers) {
    if (!images.has(imageKey(container))) images.set(imageKey(container), await engine.image(container.image, order))
  }
  return images
}

async function makePods({ workloads }: Plan, place: PodPlace): Promise<LocalPod[]> {
  const replicas = workloads.flatMap((workload) =>
    Array.from({ length: workload.replicas }, (_, index) => ({ workload, index })),
  )
  return Promise.all(replicas.map(({ workload, index }) => makePod(workload, index, place)))
}

/** The workload that receives requests: webhook processors, if there are any. */
const entryOf = (pods: LocalPod[]) =>
  ['webhook', 'main', 'server'].find((component) => pods.some(({ workload }) => workload.component === component))

function servicesOf({ services }: Plan, pods: LocalPod[], fronts: Map<Service, Front>): Map<string, number> {
  return new Map(
    services.flatMap((service) => {
      const pod = pods.find(({ workload }) => workload.component === service.component)
      return pod ? [[serviceKey(service), fronts.get(service)?.port ?? portOf(pod, service.targetPort)] as const] : []
    }),
  )
}

/** Where the plan's own database and queue are, as its settings lead to them. */
const storesFrom = ({ network }: LocalPod, { services }: Plan, ports: PlanContext['services']): string[] =>
  services
    .filter(({ component }) => component === 'postgresql' || component === 'redis')
    .flatMap((service) => ports.get(serviceKey(service)) ?? [])
    .map((port) => `${network.address}:${port}`)

/** The address at which callers find the pod, or the replicas it belongs to. */
function urlBefore(pod: LocalPod, fronts: Map<Service, Front>): string {
  const front = [...fronts.values()].find(({ backends }) => backends.includes(portOf(pod, 'http')))
  return front ? `http://${pod.network.address}:${front.port}` : urlOf(pod, 'http')
}
