import { faultErrors } from '../../fault/fault-errors.ts'
import type { Disturbance } from '../target.ts'
import { dropPackets } from './drop-packets.ts'
import { fillDisks } from './fill-disks.ts'
import { harmRunner } from './harm-runner.ts'
import type { Pod } from './pod.ts'
import type { Started } from './ready.ts'

/** Disturbs the first container of one pod of a component, or of all its pods. */
export async function disturb(
  { component, replicas, how }: Disturbance,
  started: Started[],
): Promise<() => Promise<void>> {
  if (how === 'exhaust-memory' || how === 'evict' || how === 'roll')
    throw faultErrors.faultElsewhere('a cluster: --target kubernetes')
  if (component === 'runner') return harmRunner(how, started)
  if (how === 'move-clock') return moveClock(started.map(({ pod }) => pod))
  const pods = started.filter(({ pod }) => pod.workload.component === component)
  const hit = pods.slice(0, replicas === 'one' ? 1 : undefined)
  const podsHit = hit.map(({ pod }) => pod)
  if (how === 'cut-off' || how === 'lossy') return dropPackets(podsHit, how)
  if (how === 'fill-disk') return fillDisks(podsHit)
  const containers = hit.map(({ pod, containers }) => containers.get(pod.name)!)
  const ends = await Promise.all(containers.map((container) => container.disturb(how)))
  return async () => void (await Promise.all(ends.map((end) => end())))
}

/** All n8n processes of a plan share one. */
async function moveClock(pods: Pod[]): Promise<() => Promise<void>> {
  const clock = pods.find(({ clock }) => clock)?.clock
  if (!clock) throw faultErrors.needsClockLibrary()
  return clock.move()
}
