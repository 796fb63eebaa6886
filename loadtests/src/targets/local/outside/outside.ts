import { execa } from 'execa'
import type { OutsideOrder } from '../../outside.ts'
import type { Post } from '../machine.ts'
import type { LocalImage } from '../images.ts'
import { machineNetwork, type Network, type OwnNetwork } from '../network.ts'
import { canOwnNetwork, openOwnNetwork } from '../own-network.ts'
import type { RunningPod } from '../start-pod.ts'
import { connectionsOf } from './connections.ts'
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

/**
 * Closes a network: rejects and counts every connection that begins inside and leaves over its link. Answers to
 * connections from outside may leave.
 */
async function seal({ network, link: { name, outside } }: OwnNetwork): Promise<void> {
  await inside(network, [
    'iptables',
    '-w',
    '-A',
    'OUTPUT',
    '-o',
    name,
    '-m',
    'conntrack',
    '--ctstate',
    'NEW',
    '-j',
    'REJECT',
  ])
  // Without a route, there would be nothing to count.
  await inside(network, ['ip', 'route', 'add', 'default', 'via', outside, 'dev', name])
}

/** How many packets were rejected. */
const turnedAway = async (network: Network): Promise<number> =>
  rejectedIn(await inside(network, ['iptables', '-w', '-nvxL', 'OUTPUT']))

const rejectedIn = (listing: string): number => Number(/^\s*(\d+)\s+\d+\s+REJECT\b/m.exec(listing)?.[1] ?? 0)

async function inside(network: Network, argv: string[]): Promise<string> {
  const [command, ...args] = network.enter(argv)
  return (await execa(command!, args)).stdout
}
