import { join } from 'node:path'
import { textOf } from '../../await.ts'
import type { Container } from '../../chart/plan.ts'
import { errors } from '../../errors.ts'
import type { Order, RunningProcess } from '../target.ts'
import { runContainer, type Container as RunningContainer } from './container.ts'
import type { LocalImage } from './images/image.ts'
import { openLog } from './log.ts'
import { membersOf } from './members.ts'
import { runOnce, type Outcome } from './once.ts'
import { commandFor, translated, urlOf, type Pod } from './pod.ts'
import { profilable } from './profiling/profilable.ts'
import type { Started } from './ready.ts'
import type { Machine } from './machine.ts'
import { usageOf } from './usage.ts'

/** What a pod needs to know of the plan it belongs to. */
export interface Place {
  /** The plan's name. */
  name: string
  order: Order
  machine: Machine
  services: Map<string, number>
  /** Do callers' requests end up with it? */
  serves(pod: Pod): boolean
  imageOf(container: Container): LocalImage
  /** Told of a pod before its first container runs. */
  started(pod: RunningPod): void
  /** Told of a pod whose init containers are done. */
  prepared(pod: Pod): Promise<unknown>
}

export interface RunningPod extends Started {
  processes: RunningProcess[]
}

/** Its init containers one after the other, then its containers, each under its limits. */
export async function startPod(pod: Pod, place: Place, signal: AbortSignal): Promise<RunningPod> {
  for (const container of pod.workload.init) {
    const outcome = await runIn(pod, container, place, { log: `${pod.name}-${container.name}`, signal })
    signal.throwIfAborted()
    if (outcome.code !== 0) throw errors.neverReady(pod.name, `its init container ${container.name} failed`, 'The last lines of its log say why.', outcome.log)
  }
  await place.prepared(pod)
  const first = pod.workload.containers[0]!
  const running: RunningPod = {
    pod,
    containers: new Map(),
    processes: [],
    inside: (command) => commandFor(pod, first, place.imageOf(first), place.services, translated(command, pod, first, place.services)),
  }
  place.started(running)
  for (const container of pod.workload.containers) {
    const { name, processes, running: one } = await startContainer(pod, container, place)
    running.containers.set(name, one)
    running.processes.push(...processes)
  }
  return running
}

async function startContainer(pod: Pod, container: Container, { name: plan, order, machine, services, serves, imageOf }: Place): Promise<{ name: string; processes: RunningProcess[]; running: RunningContainer }> {
  const name = container === pod.workload.containers[0] ? pod.name : `${pod.name}-${container.name}`
  const profiling = order.profiled && imageOf(container).kind === 'n8n' ? await profilable(pod.network.address) : null
  const command = commandFor(pod, container, imageOf(container), services)
  const box = await machine.limiter.box(`${plan}-${name}`, container.limits)
  const log = openLog(join(order.logs, `${name}.log`))
  // Nothing of it is kept, so it need not say goodbye.
  const spec = { ...command, env: profiling?.env(command.env) ?? command.env, argv: machine.place(command.argv), name, grace: 0 }
  const running = runContainer(spec, box, log, order.onEvent, machine.scratch.track)
  const usage = async () => usageOf(await box.cpuSeconds(), await running.pids())
  const process: RunningProcess = {
    name,
    limits: container.limits,
    serves: serves(pod) && container === pod.workload.containers[0],
    restarts: running.restarts,
    usage,
    ...metricsOf(pod, container),
    ...(profiling && { profile: () => profiling.begin({ leader: running.leader, pids: running.pids, usage }) }),
  }
  const members = imageOf(container).members?.(container) ?? []
  return { name, running, processes: members.length ? membersOf(process, members, running.pids, urlOf(pod, 'metrics')) : [process] }
}

/** n8n answers with them where it answers requests; others have a port for them. */
function metricsOf(pod: Pod, { env, ports }: Container): Pick<RunningProcess, 'metrics'> {
  const port = env.N8N_METRICS === 'true' ? 'http' : ports.find(({ name }) => name === 'metrics')?.name
  return port ? { metrics: (timeout) => textOf(`${urlOf(pod, port)}/metrics`, timeout) } : {}
}

/** On all cores and without limits: nothing is measured yet. */
export async function runIn(pod: Pod, container: Container, { name, order, machine, services, imageOf }: Place, given: { log: string; signal: AbortSignal; run?: string[] }): Promise<Outcome> {
  const command = commandFor(pod, container, imageOf(container), services, given.run)
  const box = await machine.limiter.box(`${name}-once-${given.log}`, { cpu: null, memory: null })
  try {
    given.signal.throwIfAborted()
    return await runOnce(command, box, { log: join(order.logs, `${given.log}.log`), signal: given.signal, track: machine.scratch.track })
  } finally {
    await box.remove()
  }
}
