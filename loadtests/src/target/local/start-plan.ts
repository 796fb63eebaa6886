import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Container, Plan, Service } from '../../chart/plan.ts'
import { errors } from '../../errors.ts'
import type { Order, Running, RunningProcess } from '../target.ts'
import { runContainer, type Container as RunningContainer } from './container.ts'
import { localImage, type LocalImage } from './image.ts'
import type { Limiter } from './limits/limiter.ts'
import { openLog } from './log.ts'
import { commandFor, makePod, portOf, type Pod } from './pod.ts'
import { awaitReady } from './ready.ts'
import { serviceKey } from './resolve.ts'
import { runOnce } from './once.ts'
import type { Scratch } from './scratch.ts'
import { seed } from './seed.ts'
import { sowOnce } from './sow-once.ts'

export interface Machine {
  limiter: Limiter
  scratch: Scratch
  /** Puts a command on the cores that n8n has. */
  place(argv: string[]): string[]
  /** Told of a plan as soon as it may have something to take down. */
  register(plan: { down(): Promise<void> }): void
}

let plans = 0

export async function startPlan(plan: Plan, order: Order, machine: Machine): Promise<Running> {
  const folder = join(machine.scratch.path, `plan-${plans++}`)
  await mkdir(order.logs, { recursive: true })
  const containers: RunningContainer[] = []
  let downed: Promise<unknown> | undefined
  const down = async () => void (await (downed ??= Promise.all(containers.map((container) => container.stop()))))
  machine.register({ down })

  const images = await installImages(plan, order)
  const imageOf = (container: Container) => images.get(imageKey(container))!
  const pods = await Promise.all(plan.workloads.map((workload) => makePod(workload, 0, folder, imageOf)))
  const services = new Map(plan.services.map((service) => [serviceKey(service), servicePort(service, pods)]))
  const context = { order, machine, services, imageOf }

  for (const pod of pods) await runInit(pod, context)
  await seedPlan(pods, context)

  const processes: RunningProcess[] = []
  for (const pod of pods) {
    for (const container of pod.workload.containers) {
      const name = pod.workload.containers.length > 1 ? `${pod.name}-${container.name}` : pod.name
      const command = await commandFor(pod, container, imageOf(container), services)
      const box = await machine.limiter.box(`${folder.split('/').at(-1)}-${name}`, container.limits)
      const log = openLog(join(order.logs, `${name}.log`))
      // Nothing of it is kept, so it need not say goodbye.
      const spec = { ...command, argv: machine.place(command.argv), name, grace: 0 }
      const running = runContainer(spec, box, log, order.onEvent, machine.scratch.track)
      containers.push(running)
      processes.push({
        name,
        metricsUrl: container.env.N8N_METRICS === 'true' ? `http://127.0.0.1:${portOf(pod, 'http')}/metrics` : null,
        limits: container.limits,
        restarts: running.restarts,
        pids: running.pids,
        cpuSeconds: box.cpuSeconds,
      })
    }
  }
  const url = `http://127.0.0.1:${portOf(mainOf(pods), 'http')}`
  const ready = (signal: AbortSignal) => awaitReady({ pods, containers: new Map(processes.map(({ name }, index) => [name, containers[index]!])), url, webhooks: order.workflows.map(({ webhook }) => webhook), signal, onEvent: order.onEvent })
  await ready(order.signal)
  return { url, processes, ready, down }
}

interface Context {
  order: Order
  machine: Machine
  services: Map<string, number>
  imageOf(container: Container): LocalImage
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

const mainOf = (pods: Pod[]) => pods.find(({ workload }) => workload.component === 'main')!

function servicePort(service: Service, pods: Pod[]): number {
  return portOf(pods.find(({ workload }) => workload.component === service.component)!, service.targetPort)
}

async function runInit(pod: Pod, context: Context): Promise<void> {
  for (const container of pod.workload.init) {
    const outcome = await runIn(pod, container, context, undefined, `${pod.name}-${container.name}`)
    if (outcome.code !== 0) throw errors.neverReady(pod.name, `its init container ${container.name} failed`, 'The last lines of its log say why.', outcome.log)
  }
}

/** On all cores and without limits: nothing is measured yet. */
async function runIn(pod: Pod, container: Container, { order, machine, services, imageOf }: Context, args: string[] | undefined, log: string) {
  const command = await commandFor(pod, container, imageOf(container), services, args)
  const box = await machine.limiter.box(`once-${log}`, { cpu: null, memory: null })
  try {
    order.signal.throwIfAborted()
    return await runOnce(command, box, { log: join(order.logs, `${log}.log`), signal: order.signal, track: machine.scratch.track })
  } finally {
    await box.remove()
  }
}

async function seedPlan(pods: Pod[], context: Context): Promise<void> {
  const pod = mainOf(pods)
  const [container] = pod.workload.containers as [Container]
  const { workflows, signal } = context.order
  const cli = async (args: string[]) => {
    const outcome = await runIn(pod, container, context, args, 'seed')
    signal.throwIfAborted()
    if (outcome.code !== 0) throw errors.seedFailed(`n8n ${args[0]}`, outcome.log)
  }
  const sow = () => seed(cli, container.image.tag, workflows, join(pod.folder, 'seed'))
  await sowOnce(sow, pod, container, workflows, join(context.machine.scratch.path, 'seeds'))
}
