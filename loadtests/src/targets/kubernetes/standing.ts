/** Pure: what a pod's status says about its start. */

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
const roomPatience = 60_000

/** How often containers had been started again, before one waited for their pods. */
export type Restarts = Map<string, number>

const keyOf = (pod: any, container: string) => `${pod.metadata.uid} ${container}`

export const restartsOf = (pods: Iterable<any>): Restarts =>
  new Map(
    [...pods].flatMap((pod) =>
      containersOf(pod).map(({ name, restartCount }): [string, number] => [keyOf(pod, name), restartCount]),
    ),
  )

/** Why a pod will not become ready by itself; null while it still may. */
export function stuckBecause(pod: any, { now = Date.now(), before = new Map() as Restarts } = {}): Stuck | null {
  for (const { name, image, state, lastState, restartCount } of containersOf(pod)) {
    const waiting = state?.waiting?.reason
    if (pulling.has(waiting))
      return {
        code: 'never-ready',
        reason: `the image ${image} cannot be had (${state.waiting.message ?? waiting})`,
        hint: 'Check its name. The lab’s namespaces have none of your pull secrets: nodes need their own access.',
      }
    if (configuring.has(waiting) && !stillReading.test(state.waiting.message))
      return {
        code: 'never-ready',
        reason: `its container ${name} cannot be made (${state.waiting.message ?? waiting})`,
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
    (condition: any) => condition.type === 'PodScheduled' && condition.reason === 'Unschedulable',
  )
  if (unscheduled && now - Date.parse(unscheduled.lastTransitionTime) > roomPatience)
    return {
      code: 'no-room',
      reason: `no node has room for it (${unscheduled.message})`,
      hint: 'Lower the resources’ requests, or use a larger cluster.',
    }
  return null
}

export const isReady = (pod: any): boolean =>
  !pod.metadata.deletionTimestamp
  && (pod.status.conditions ?? []).some(({ type, status }: any) => type === 'Ready' && status === 'True')

export const containersOf = (pod: any): any[] => [
  ...(pod.status.initContainerStatuses ?? []),
  ...(pod.status.containerStatuses ?? []),
]

/** Those that run as long as the pod: other init containers end by design. */
export const lastingContainersOf = ({ spec }: any): any[] => [
  ...spec.containers,
  ...(spec.initContainers ?? []).filter(({ restartPolicy }: any) => restartPolicy === 'Always'),
]

const describeEnd = ({ reason, exitCode }: any) =>
  reason === 'OOMKilled' ? 'killed for memory' : `with exit code ${exitCode}`

const adviceFor = ({ reason }: any) =>
  reason === 'OOMKilled'
    ? 'Raise its resources.limits.memory: n8n 2 needs about 350 MiB to start.'
    : 'The last lines of its log say why.'
