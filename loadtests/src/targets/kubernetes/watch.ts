import type { Plan } from '../../chart/plan.ts'
import { openOutages } from '../../lib/outages.ts'
import { failProcess, repeat } from '../../lib/repeat.ts'
import type { Order } from '../target.ts'
import type { Api } from './api.ts'
import type { OwnNamespace } from './namespaces.ts'
import { instance, type ContainerStatus, type PodObject } from './objects.ts'
import { assign, containersOf, endsOfContainer, exitOf, lastingContainersOf } from './pods.ts'
import type { Exit, TargetEvent } from '../../model/event.ts'

/** The present pods of a plan, and the events of their containers. */
export interface Watch {
  /** By the replica's name in the run: `main-0`. */
  pods(): Map<string, PodObject>
  /** Looks at once. */
  look(): Promise<void>
  stop(): Promise<void>
}

const every = 1000
const lastLines = 15

export function watchPods(
  api: Api,
  { name, namespace }: OwnNamespace,
  { workloads }: Plan,
  onEvent: (event: TargetEvent) => void,
  onUnseen: NonNullable<Order['onUnseen']> = () => {},
): Watch {
  let slots = new Map<string, PodObject>()
  /** The present pod of each process, how often its container has ended there, and since when it runs. */
  const seen = new Map<string, { uid: string; count: number; running: string | null }>()
  const outages = openOutages('The cluster', (outage) => onUnseen({ code: 'no-answer', ...outage }))
  let stopped = false
  let looking: Promise<void> | null = null

  async function lookNow(): Promise<void> {
    const pods = await podsNow()
    if (!pods) return
    slots = assign(workloads, pods, slots)
    for (const [slot, pod] of slots) for (const status of containersOf(pod)) await note(slot, pod, status)
  }

  /** Null where the cluster does not answer, which is told. */
  const podsNow = (): Promise<PodObject[] | null> =>
    outages
      .ask(() => api.list<PodObject>(`/api/v1/namespaces/${namespace}/pods`, { [instance]: name }))
      .catch(() => null)

  async function note(slot: string, pod: PodObject, status: ContainerStatus): Promise<void> {
    const process = processName(slot, pod, status.name)
    if (process === null) return
    const known = seen.get(process)
    const { count, last } = endsOfContainer(status)
    const { uid } = pod.metadata
    const running: string | null = status.state?.running?.startedAt ?? null
    const replaced = known !== undefined && known.uid !== uid
    const ended = count > (replaced ? 0 : (known?.count ?? 0))
    const log = ended ? await lastWords(pod, status) : []
    if (stopped) return
    seen.set(process, { uid, count, running: running ?? known?.running ?? null })
    if (replaced) tell(process, exitOf(null, ['Its pod was removed, and another made in its place.']))
    if (ended) tell(process, exitOf(last, log))
    if (running !== null && running !== known?.running) onEvent({ at: Date.now(), process, kind: 'started' })
  }

  const tell = (process: string, exit: Exit) => onEvent({ at: Date.now(), process, kind: 'exited', exit })

  async function lastWords(pod: PodObject, { name, restartCount, state }: ContainerStatus): Promise<string[]> {
    const log = `/api/v1/namespaces/${namespace}/pods/${pod.metadata.name}/log?container=${name}&tailLines=${lastLines}`
    const said = await api.ask(`${log}&previous=${restartCount > 0 && !state?.terminated}`, { timeout: 5000 })
    return said?.status === 200 ? said.text.split('\n').filter(Boolean) : []
  }

  const look = async () => {
    looking ??= lookNow().finally(() => (looking = null))
    await looking
  }
  const end = repeat(look, every, failProcess)

  return {
    pods: () => slots,
    look,
    async stop() {
      stopped = true
      end()
      await looking
      outages.close()
    },
  }
}

/**
 * As on one machine, the first container has the pod's name. The ends of init containers do not count.
 */
function processName(slot: string, pod: PodObject, container: string): string | null {
  if (pod.spec.containers[0]!.name === container) return slot
  return lastingContainersOf(pod).some(({ name }) => name === container) ? `${slot}-${container}` : null
}
