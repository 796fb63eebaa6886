import type { Fail } from '../lib/fail.ts'
import type { Depth, Queue } from '../n8n/queue.ts'
import { watch } from './watch.ts'

export interface QueueSample extends Depth {
  at: number
  /** Milliseconds until Redis answered; absent in runs of earlier versions. */
  took?: number
  /** The keys in Redis; as above. */
  keys?: number
}

/** For how the queue fills, and how fast Redis answers. */
export function watchQueue(
  queue: Queue,
  onSample: (sample: QueueSample) => void,
  every?: number,
  fail?: Fail,
): () => void {
  return watch(
    () => queue.look(),
    ({ waiting, active, keys }, at, took) => onSample({ at, waiting, active, took, keys }),
    every,
    fail,
  )
}
