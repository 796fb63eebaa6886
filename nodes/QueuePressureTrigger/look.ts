import { readCounts } from '../bull/counts'
import type { Queue } from '../bull/queue'
import { readWorkers } from '../bull/workers'
import type { Capacity } from './parameters'
import type { Load } from './pressure'

export interface Look extends Load {
  waiting: number
  active: number
  /** Only if the capacity is counted by workers. */
  workers?: number
}

export async function lookAt(queue: Queue, { fixed, perWorker }: Capacity): Promise<Look> {
  const [{ waiting, active }, workers] = await Promise.all([
    readCounts(queue),
    fixed === undefined ? readWorkers(queue) : undefined,
  ])
  return {
    waiting,
    active,
    jobs: waiting + active,
    capacity: fixed ?? workers!.length * perWorker,
    ...(workers && { workers: workers.length }),
  }
}
