import type { OutsideOrder } from '../../outside.ts'
import type { Post } from '../machine.ts'
import type { LocalImage } from '../images.ts'
import { machineNetwork, type OwnNetwork } from '../network.ts'
import { canOwnNetwork, openOwnNetwork } from '../own-network.ts'
import type { RunningPod } from '../start-pod.ts'
import { connectionsOf } from './connections.ts'
import { seal, turnedAway } from './sealed.ts'
import { startStandIn } from './stand-in.ts'
import type { OutsideCount } from '../../../model/outside.ts'

/** Controls what a plan can reach outside. */
export interface Outside {
  /** A network without a way out; absent where the plan uses the machine's network. */
  own?: OwnNetwork
  leading(image: LocalImage): LocalImage
  /** Ports of what is no HTTP, by the name of the service. */
  ports: Record<string, number>
  /** The calls so far; null if the stand-in does not answer. */
  count(): Promise<OutsideCount | null>
}

/** Reading a process's connections is cheap, but misses connections that are shorter than this. */
const lookEvery = 1000

/** `callers`: the pods of n8n that run now. */
export async function openOutside(order: OutsideOrder, callers: () => RunningPod[], post: Post): Promise<Outside> {
  const own = (await isSealed(order, post))
    ? await openOwnNetwork('outside-network', 'a network without a way out', post)
    : undefined
  if (own) await seal(own)
  const standIn = await startStandIn(order, own?.network ?? machineNetwork, post)
  const left = new Set<string>()
  const look = async () => connectionsOf(await pidsOf(callers())).forEach((one) => left.add(one))
  if (!own) setInterval(() => void look().catch(post.machine.fail), lookEvery).unref()
  return {
    own,
    leading: standIn.leading,
    ports: standIn.ports,
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

/** Seals the network if nothing needs to leave it and this machine can make such a network. */
async function isSealed({ allow, record }: OutsideOrder, { machine }: Post): Promise<boolean> {
  if (allow.length > 0 || record !== null) return false
  return machine.engine.entersNetworks && (await canOwnNetwork())
}
