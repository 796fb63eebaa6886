import type { Workload } from '../../chart/plan.ts'
import type { Exit } from '../../model/event.ts'
import type { ContainerObject, ContainerStatus, PodObject, Terminated } from './objects.ts'

/** Pure: what pods are, by what Kubernetes says of them: ready, stuck, ended, and which replica's. */

export interface Stuck {
  code: 'never-ready' | 'no-room'
  reason: string
  hint: string
}

const pulling = new Set(['ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'])
/** Whether a container waits for an image that is not to be had. */
export const cannotBePulled = (reason = ''): boolean => pulling.has(reason)
const configuring = new Set(['CreateContainerConfigError', 'CreateContainerError'])
/** A busy node has not yet read the Secrets and ConfigMaps that it was told of, and tries again. */
const stillReading = /^failed to sync \w+ cache/
/** After this many ends without becoming ready, it will never become ready. */
const attempts = 2
/** An autoscaler of nodes or a late volume may still help. */
const usualPatience = 60_000

/** How often containers had been started again, before one waited for their pods. */
export type Restarts = Map<string, number>

const keyOf = (pod: PodObject, container: string) => `${pod.metadata.uid} ${container}`

export const restartsOf = (pods: Iterable<PodObject>): Restarts =>
  new Map(
    [...pods].flatMap((pod) =>
      containersOf(pod).map(({ name, restartCount }): [string, number] => [keyOf(pod, name), restartCount]),
    ),
  )

/** Why a pod will not become ready by itself; null while it still may. */
export function stuckBecause(
  pod: PodObject,
  { now = Date.now(), before = new Map() as Restarts, roomPatience = usualPatience } = {},
): Stuck | null {
  for (const { name, image, state, lastState, restartCount } of containersOf(pod)) {
    const waiting = state?.waiting
    if (cannotBePulled(waiting?.reason))
      return {
        code: 'never-ready',
        reason: `the image ${image} cannot be had (${waiting?.message ?? waiting?.reason})`,
        hint: 'Check its name. The lab’s namespaces have none of your pull secrets: nodes need their own access.',
      }
    if (configuring.has(waiting?.reason ?? '') && !stillReading.test(waiting?.message ?? ''))
      return {
        code: 'never-ready',
        reason: `its container ${name} cannot be made (${waiting?.message ?? waiting?.reason})`,
        hint: 'The namespace is the lab’s own, without your Secrets and claims. Leave out the value that names it.',
      }
    const ended = state?.terminated ?? lastState?.terminated
    if (restartCount - (before.get(keyOf(pod, name)) ?? 0) >= attempts && ended)
      return {
        code: 'never-ready',
        reason: `its container ${name} ended ${describeEnd(ended)} while starting`,
        hint: adviceFor(ended),
      }
  }
  const unscheduled = (pod.status.conditions ?? []).find(
    (condition) => condition.type === 'PodScheduled' && condition.reason === 'Unschedulable',
  )
  if (unscheduled && now - Date.parse(unscheduled.lastTransitionTime) > roomPatience)
    return {
      code: 'no-room',
      reason: `no node has room for it (${unscheduled.message})`,
      hint: 'Lower the resources’ requests, or use a larger cluster.',
    }
  return null
}

/** One that is going is none any more. */
export const isReady = (pod: PodObject | undefined): boolean =>
  pod !== undefined
  && !pod.metadata.deletionTimestamp
  && (pod.status.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True')

export const containersOf = (pod: PodObject): ContainerStatus[] => [
  ...(pod.status.initContainerStatuses ?? []),
  ...(pod.status.containerStatuses ?? []),
]

/** Those that run as long as the pod: other init containers end by design. */
export const lastingContainersOf = ({ spec }: PodObject): ContainerObject[] => [
  ...spec.containers,
  ...(spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always'),
]

const describeEnd = ({ reason, exitCode }: Terminated) =>
  reason === 'OOMKilled' ? 'killed for memory' : `with exit code ${exitCode}`

const adviceFor = ({ reason }: Terminated) =>
  reason === 'OOMKilled'
    ? 'Raise its resources.limits.memory: n8n 2 needs about 350 MiB to start.'
    : 'The last lines of its log say why.'

/** How many times a container has ended, and how it ended last. */
interface Ends {
  count: number
  last: Terminated | null
}

export function endsOfContainer(status: ContainerStatus): Ends {
  const { restartCount, state = {}, lastState = {} } = status
  const last = state.terminated ?? lastState.terminated ?? null
  // Kubernetes counts a container's starts after the first. If it is not running now, it has ended once more.
  return { count: restartCount + (last && !state.running ? 1 : 0), last }
}

export function exitOf(last: Ends['last'], log: string[]): Exit {
  const heap = log.some((line) => /JavaScript heap out of memory|Reached heap limit/.test(line))
  const reason = last?.reason === 'OOMKilled' ? 'oom-killed' : heap ? 'heap-exhausted' : 'crashed'
  return { reason, code: last?.exitCode ?? null, signal: null, log }
}

/**
 * Assigns pods to replicas. A pod keeps its slot while it exists. A later pod takes a free slot and continues the
 * figures of `worker-1`.
 */
export function assign(
  workloads: Pick<Workload, 'component' | 'replicas'>[],
  pods: PodObject[],
  before: Map<string, PodObject>,
): Map<string, PodObject> {
  const slots = new Map<string, PodObject>()
  for (const { component, replicas } of workloads) {
    const ours = pods.filter(
      ({ metadata }) =>
        metadata.labels?.['app.kubernetes.io/component'] === component
        && !metadata.labels?.['batch.kubernetes.io/job-name'],
    )
    const names = Array.from({ length: replicas }, (_, index) => `${component}-${index}`)
    for (const name of names) {
      const still = ours.find(({ metadata }) => metadata.uid === before.get(name)?.metadata.uid)
      if (still) slots.set(name, still)
    }
    const placed = new Set([...slots.values()].map(({ metadata }) => metadata.uid))
    const rest = ours.filter(({ metadata }) => !placed.has(metadata.uid) && !metadata.deletionTimestamp).sort(byAge)
    for (const name of names) if (!slots.has(name) && rest.length) slots.set(name, rest.shift()!)
  }
  return slots
}

const byAge = (a: PodObject, b: PodObject) => ageOf(a).localeCompare(ageOf(b))
const ageOf = ({ metadata }: PodObject) => `${metadata.creationTimestamp} ${metadata.name}`
