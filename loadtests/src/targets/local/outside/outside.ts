import type { Post } from '../machine.ts'
import type { LocalImage } from '../images.ts'
import { machineNetwork, packetsWithoutRoute } from '../network.ts'
import type { RunningPod } from '../start-pod.ts'
import { connectionsAway } from './connections.ts'
import { startMock, type MockPlace } from './mock.ts'
import type { OutsideCount, OutsideOrder, Ports } from '../../../model/outside.ts'

/** Answers the calls of a plan, and counts what leaves it otherwise. */
export interface PlanOutside {
  leading(image: LocalImage): LocalImage
  /** Where databases and mail servers listen. */
  ports: Ports
  /** The calls so far; null if the mock does not answer. */
  count(): Promise<OutsideCount | null>
}

/** Reading a process's connections is cheap, but misses connections that are shorter than this. */
const lookEvery = 1000

/** `callers`: the pods of n8n that run now. */
export async function openOutside(
  order: OutsideOrder,
  callers: () => RunningPod[],
  post: Post,
  place: MockPlace = { folder: post.folder, user: null },
): Promise<PlanOutside> {
  const { network = machineNetwork } = place
  const mock = await startMock(order, network, post, place)
  const isClosed = network.address !== machineNetwork.address
  const left = new Set<string>()
  const look = async () => connectionsAway(await pidsOf(callers())).forEach((one) => left.add(one))
  if (!isClosed) setInterval(() => void look().catch(post.machine.fail), lookEvery).unref()
  return {
    leading: mock.leading,
    ports: mock.ports,
    async count() {
      const told = await mock.count()
      return told && { ...told, turnedAway: isClosed ? packetsWithoutRoute(network) : null, left: [...left].sort() }
    },
  }
}

async function pidsOf(pods: RunningPod[]): Promise<number[]> {
  const containers = pods.flatMap(({ containers: all }) => [...all.values()])
  return (await Promise.all(containers.map((container) => container.pids()))).flat()
}
