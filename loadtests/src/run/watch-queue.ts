import type { QueueSample } from '../model/sample.ts'
import type { Fail } from '../lib/fail.ts'
import type { Queue } from '../n8n/queue.ts'
import { watch } from './watch.ts'

/** For how the queue fills, and how fast Redis answers. */
export function watchQueue(
  queue: Queue,
  onSample: (sample: QueueSample) => void,
  every?: number,
  fail?: Fail,
): () => void {
  return watch(
    () => queue.look(),
    ({ waiting, active, keys, commands }, at, took) =>
      onSample({ at, waiting, active, took, keys, ...(commands !== undefined && { commands }) }),
    every,
    fail,
  )
}
