import { faultErrors } from '../../fault/fault-errors.ts'
import { mountOwnDisk } from './own-disk.ts'
import type { Pod } from './pod.ts'

/** Gives PostgreSQL's pod a disk of its own for its data, before it starts. */
export async function giveOwnDisk(pods: Pod[], holder: number): Promise<void> {
  for (const pod of pods.filter(({ workload }) => workload.component === 'postgresql')) {
    const data = pod.workload.containers[0]!.mounts.find(({ path }) => path.startsWith('/var/lib/postgresql'))!
    pod.disk = await mountOwnDisk(pod.volumes.get(data.volume)!, holder)
  }
}

/** Leaves no room on them; returns a function that gives the room back. */
export async function fillDisks(pods: Pod[]): Promise<() => Promise<void>> {
  const disks = pods.map(({ disk }) => disk)
  const ends = await Promise.all(
    disks.map((disk) => {
      if (!disk) throw faultErrors.needsOwnNetwork()
      return disk.fill()
    }),
  )
  return async () => void (await Promise.all(ends.map((end) => end())))
}
