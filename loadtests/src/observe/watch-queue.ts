import type { Depth, Queue } from './queue.ts'

export type QueueSample = Depth & { at: number }

/** Looks at the queue about once a second, for how it fills. Returns what ends that. */
export function watchQueue(queue: Queue, onSample: (sample: QueueSample) => void, every = 1000): () => void {
  let stopped = false
  let looking = false
  const timer = setInterval(async () => {
    if (looking) return // a queue too busy for this look is seen by the next one
    looking = true
    // One that cannot be asked is missed by whoever counts with it, who says so.
    const look = await queue.look().catch(() => null)
    looking = false
    if (look && !stopped) onSample({ at: Date.now(), waiting: look.waiting, active: look.active })
  }, every)
  return () => {
    stopped = true
    clearInterval(timer)
  }
}
