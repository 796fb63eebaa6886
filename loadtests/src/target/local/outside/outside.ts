import type { Plan } from '../../../chart/plan.ts'
import type { OutsideCount, OutsideOrder } from '../../outside.ts'
import type { Post } from '../beside.ts'
import type { LocalImage } from '../images/image.ts'
import { machineNetwork } from '../network.ts'
import { canOwnNetwork, openOwnNetwork, type OwnNetwork } from '../own-network.ts'
import type { RunningPod } from '../start-pod.ts'
import { connectionsOf } from './connections.ts'
import { seal, turnedAway } from './sealed.ts'
import { startStandIn } from './stand-in.ts'

/** What stands between a plan and everything else. */
export interface Outside {
  /** A network without a way out; absent where the plan stays in the machine's. */
  own?: OwnNetwork
  leading(image: LocalImage): LocalImage
  /** What was asked until now; null where the stand-in does not say. */
  count(): Promise<OutsideCount | null>
}

/** A look at a process's connections is cheap, but shorter ones are missed. */
const lookEvery = 1000

/** `callers`: the pods of n8n that run by now. */
export async function openOutside(
  order: OutsideOrder,
  plan: Plan,
  callers: () => RunningPod[],
  post: Post,
): Promise<Outside> {
  const own = (await isSealed(order, plan, post))
    ? await openOwnNetwork('outside-network', 'a network without a way out', post)
    : undefined
  if (own) await seal(own)
  const standIn = await startStandIn(order, own?.network ?? machineNetwork, post)
  const left = new Set<string>()
  const look = async () => connectionsOf(await pidsOf(callers())).forEach((one) => left.add(one))
  if (!own) setInterval(() => void look(), lookEvery).unref()
  return {
    own,
    leading: standIn.leading,
    async count() {
      const told = await standIn.count()
      return told && { ...told, turnedAway: own ? await turnedAway(own.network) : null, left: [...left].sort() }
    },
  }
}

async function pidsOf(pods: RunningPod[]): Promise<number[]> {
  const containers = pods.flatMap(({ containers: all }) => [...all.values()])
  return (await Promise.all(containers.map((container) => container.pids()))).flat()
}

/** Nothing can leave where nothing has to, and where this machine can make such a network. */
async function isSealed({ allow, record }: OutsideOrder, plan: Plan, { machine }: Post): Promise<boolean> {
  if (allow.length > 0 || record !== null || reachesOthers(plan)) return false
  return machine.engine.entersNetworks && (await canOwnNetwork())
}

/** Does n8n keep something in a database or a queue that is not the plan's own? */
export function reachesOthers({ workloads, services }: Plan): boolean {
  const names = services.map(({ name }) => name)
  const isOwn = (value: string) => names.some((name) => value === name || value.startsWith(`${name}:`))
  const env = workloads.flatMap(({ containers }) => containers.flatMap((container) => Object.entries(container.env)))
  return env.some(([name, value]) => stores.test(name) && value !== '' && !value.split(',').every(isOwn))
}

const stores = /^(DB_.*_HOST|QUEUE_BULL_REDIS_HOST|QUEUE_BULL_REDIS_CLUSTER_NODES|N8N_EXTERNAL_STORAGE_S3_HOST)$/
