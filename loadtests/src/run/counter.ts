import { setTimeout } from 'node:timers/promises'
import type { Begun, ExecutionDatabase, Tally } from '../n8n/executions.ts'
import type { Queue, QueueLook } from '../n8n/queue.ts'
import type { Executions } from '../model/sample.ts'
import type { Sampler } from './sampler.ts'
import type { DatabaseSize, Times } from '../model/step.ts'

/** Asks every source that counts executions, at one moment. */
export interface Counter {
  /** Null if a process does not answer in time. Waits for a store that does not; throws if it stays away. */
  count(timeout: number): Promise<Counted | null>
  /** What became of the executions that a load began after that one; null where n8n's database cannot be asked. */
  tally(after: number): Promise<Tally | null>
  /** How long those took; null where the database does not say. */
  times(after: number, accepted: number): Promise<Times | null>
  /** How large n8n's database is; null where it does not say. */
  size(): Promise<DatabaseSize | null>
  close(): Promise<void>
}

export interface Counted {
  /** By n8n's metrics, over its restarts. */
  executions: Executions
  underWay: number
  /** Requests that each process has answered; only processes that receive requests. */
  requests: Record<string, number>
  /** By n8n's database: the newest execution, and how many have not ended. Null where the lab cannot ask it. */
  database: { newest: number; open: number } | null
  queue: QueueLook | null
}

/**
 * Milliseconds: how long a store may stay away before the count is given up, and before a figure is given up that the
 * result is complete without.
 */
const usual = { count: 60_000, figure: 10_000, every: 500 }

/** Several processes may write their rows out of the order of their numbers. */
const disorder = 1000

interface Sources {
  sampler: Sampler
  database: ExecutionDatabase | null
  queue: Queue | null
  /** What the load calls, and how its executions are known. */
  load: Omit<Begun, 'after'>
}

export function openCounter(
  { sampler, database, queue, load }: Sources,
  signal?: AbortSignal,
  patience = usual,
): Counter {
  /** All executions up to this one have ended, so that nobody looks at them again. */
  let ended = 0

  async function again<Answer>(ask: () => Promise<Answer>, within: number): Promise<Answer> {
    const end = Date.now() + within
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        signal?.throwIfAborted()
        if (Date.now() >= end) throw error
      }
      await setTimeout(patience.every, undefined, { signal })
    }
  }

  /** Null also where it stays away: whoever asks through `outages` has told that. */
  async function figure<Answer>(ask: (database: ExecutionDatabase) => Promise<Answer>): Promise<Answer | null> {
    if (!database) return null
    try {
      return await again(() => ask(database), patience.figure)
    } catch {
      signal?.throwIfAborted()
      return null
    }
  }

  async function lookAt(asked: ExecutionDatabase): Promise<Counted['database']> {
    const newest = await asked.newest()
    const { count, first } = await asked.open(ended)
    ended = Math.max(ended, Math.min(newest, first ?? Infinity) - disorder)
    return { newest, open: count }
  }

  return {
    count: (timeout) =>
      again(async () => {
        const counts = await sampler.count(timeout)
        if (!counts) return null
        const [entries, look] = await Promise.all([database && lookAt(database), queue?.look() ?? null])
        return { ...counts, database: entries, queue: look }
      }, patience.count),
    tally: async (after) => database && again(() => database.tally({ ...load, after }), patience.count),
    times: (after, accepted) => figure((asked) => asked.times({ ...load, after }, accepted)),
    size: () => figure((asked) => asked.size()),
    async close() {
      await Promise.all([database?.close(), queue?.close()])
    },
  }
}
