import type { Depth, Queue } from './queue.ts'

export type QueueSample = Depth & { at: number }

/** Looks at the length of the queue about once a second. Returns a function that stops it. */
export function watchQueue(queue: Queue, onSample: (sample: QueueSample) => void, every = 1000): () => void {
  let stopped = false
  let looking = false
  const timer = setInterval(async () => {
    if (looking) return // if the queue is too busy now, the next look sees it
    looking = true
    // Without it the accounting has no figures of the queue, and says so.
    const look = await queue.look().catch(() => null)
    looking = false
    if (look && !stopped) onSample({ at: Date.now(), waiting: look.waiting, active: look.active })
  }, every)
  return () => {
    stopped = true
    clearInterval(timer)
  }
}
