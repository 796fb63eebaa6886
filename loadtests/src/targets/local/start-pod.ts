import { join } from 'node:path'
import type { Order } from '../target.ts'
import { neverReady } from '../refusals.ts'
import type { RunningProcess } from '../../n8n/running.ts'
import type { Container } from '../../chart/plan.ts'
import type { Ports } from '../../model/outside.ts'
import { fetchPage } from '../../lib/await.ts'
import { threadTurns } from '../../lib/processes.ts'
import { servedMetrics } from '../../n8n/metrics.ts'
import { runContainer, runOnce, type RunningContainer, type ContainerOutcome } from './container.ts'
import type { ContainerWork } from './engine.ts'
import type { LocalImage } from './images.ts'
import { openLog } from './log.ts'
import type { LocalMachine } from './machine.ts'
import { machineNetwork } from './network.ts'
import { commandFor, urlOf, type LocalPod } from './pod.ts'
import { profilable } from './profiling.ts'
import { saysReady, type Started } from './ready.ts'
import { usageOf } from './usage.ts'

/** What a pod needs to know about its plan. */
export interface PlanContext {
  /** The plan's name. */
  name: string
  order: Order
  machine: LocalMachine
  services: Map<string, number>
  /** Whether it receives the requests of callers. */
  serves(pod: LocalPod): boolean
  imageOf(container: Container): LocalImage
  /** Where the mock's databases and mail servers listen; undefined without a mock. */
  mock: Ports | undefined
  /** Receives a pod before its first container runs. */
  started(pod: RunningPod): void
  /** Receives a pod whose init containers are done. */
  prepared(pod: LocalPod): Promise<unknown>
}

export interface RunningPod extends Started {
  processes: RunningProcess[]
}

/** npm fetches the community nodes that values name: from the real registry, before n8n starts. */
export const fetches = ({ name }: Container) => name === 'community-nodes'

/** Runs its init containers one after the other, then its containers, each under its limits. */
export async function startPod(pod: LocalPod, context: PlanContext, signal: AbortSignal): Promise<RunningPod> {
  for (const container of pod.workload.init) {
    const { network } = pod
    const place = fetches(container) ? { ...pod, network: { ...network, enter: network.enterToFetch } } : pod
    const outcome = await runIn(place, container, context, { log: `${pod.name}-${container.name}`, signal })
    signal.throwIfAborted()
    if (outcome.code !== 0)
      throw neverReady(
        pod.name,
        `its init container ${container.name} failed`,
        'The last lines of its log say why.',
        outcome.log,
      )
  }
  await context.prepared(pod)
  const first = pod.workload.containers[0]!
  const running: RunningPod = {
    pod,
    containers: new Map(),
    processes: [],
    inside: (command) => context.machine.engine.inside(workOf(pod, first, context), command),
  }
  context.started(running)
  for (const container of pod.workload.containers) {
    const { name, process, running: one } = await startContainer(running, container, context)
    running.containers.set(name, one)
    running.processes.push(process)
  }
  return running
}

async function startContainer(
  started: Started,
  container: Container,
  context: PlanContext,
): Promise<{ name: string; process: RunningProcess; running: RunningContainer }> {
  const { pod } = started
  const { order, machine, serves, imageOf } = context
  const name = nameOf(pod, container)
  const profiling = order.profiled && imageOf(container).kind === 'n8n' ? await profilable(pod.network) : null
  const { command, box } = await machine.engine.prepare(workOf(pod, container, context))
  const { fail, scratch } = machine
  const log = openLog(join(order.logs, `${name}.log`), fail)
  // Nothing in it is kept, so it is killed at once.
  const spec = { ...command, env: profiling?.env(command.env) ?? command.env, name, grace: 0 }
  const running = runContainer(spec, box, log, { onEvent: order.onEvent, track: scratch.track, fail })
  const usage = async () => {
    const pids = await running.pids()
    const leader = running.leader()
    return {
      ...(await usageOf(await box.cpuSeconds(), pids, await box.memoryPeak?.())),
      throttling: await box.throttling?.(),
      // That of a container's runtime is no process of the container.
      loop: leader !== undefined && pids.includes(leader) ? threadTurns(leader) : null,
    }
  }
  const process: RunningProcess = {
    name,
    limits: container.limits,
    serves: serves(pod) && container === pod.workload.containers[0],
    usage,
    ...metricsOf(pod, container),
    ...(container === pod.workload.containers[0] && { isReady: () => saysReady(started) }),
    ...(profiling && {
      profile: () => profiling.begin({ leader: running.leader, usage }),
      keptHeap: () => profiling.keptHeap(running.leader),
    }),
  }
  return { name, running, process }
}

const nameOf = (pod: LocalPod, container: Container) =>
  container === pod.workload.containers[0] ? pod.name : `${pod.name}-${container.name}`

function workOf(pod: LocalPod, container: Container, { name, services, imageOf }: PlanContext): ContainerWork {
  return {
    name: `${name}-${nameOf(pod, container)}`,
    pod,
    container,
    image: imageOf(container),
    services,
    limits: container.limits,
  }
}

/** n8n serves metrics on the port for requests; other programs have a separate port for them. */
function metricsOf(pod: LocalPod, { env, ports }: Container): Pick<RunningProcess, 'metrics'> {
  const port = env.N8N_METRICS === 'true' ? 'http' : ports.find(({ name }) => name === 'metrics')?.name
  if (!port) return {}
  const url = `${urlOf(pod, port)}/metrics`
  return { metrics: async (timeout) => servedMetrics(pod.workload.component, await fetchPage(url, timeout)) }
}

/** On all cores and without limits, because nothing is measured yet. */
export async function runIn(
  pod: LocalPod,
  container: Container,
  context: PlanContext,
  given: { log: string; signal: AbortSignal; args?: string[] },
): Promise<ContainerOutcome> {
  const { name, order, machine } = context
  const { command, box } = await machine.engine.prepare({
    ...workOf(pod, container, context),
    name: `${name}-once-${given.log}`,
    limits: null,
    args: given.args,
  })
  try {
    given.signal.throwIfAborted()
    return await runOnce(command, box, {
      log: join(order.logs, `${given.log}.log`),
      signal: given.signal,
      track: machine.scratch.track,
      fail: machine.fail,
    })
  } finally {
    await box.remove()
  }
}

/** n8n's settings with addresses at which the lab reaches its database and queue, whatever n8n runs in. */
export function settingsFromHere(
  pod: LocalPod,
  container: Container,
  { imageOf, services }: Pick<PlanContext, 'imageOf' | 'services'>,
): Record<string, string> {
  const { env } = commandFor(pod, container, imageOf(container), services)
  // The lab reaches the plan's loopback at another address.
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value === machineNetwork.address ? pod.network.address : value]),
  )
}
