import { setTimeout } from 'node:timers/promises'
import type { ExecutionCounts, ExecutionDatabase } from '../n8n/database/rows.ts'
import type { Queue, QueueLook } from '../n8n/queue.ts'
import type { Executions } from '../model/sample.ts'
import type { Sampler } from './sampler.ts'
import type { DatabaseSize, Times } from '../model/step.ts'

/** Asks every source that counts executions, at one moment. */
export interface Counter {
  /** Null if a process does not answer in time. Waits for a store that does not; throws if it stays away. */
  count(timeout: number): Promise<Counted | null>
  /**
   * How long executions took that began after the given number of others, by n8n's database; null where it does not
   * say.
   */
  times(after: number): Promise<Times | null>
  /** How many of those each workflow finished, by its id; null where the database does not say. */
  finishedBy(after: number): Promise<Record<string, number> | null>
  /** How large n8n's database is; null where it does not say. */
  size(): Promise<DatabaseSize | null>
  close(): Promise<void>
}

export interface Counted {
  executions: Executions
  underWay: number
  /** Requests that each process has answered; only processes that receive requests. */
  requests: Record<string, number>
  database: ExecutionCounts | null
  queue: QueueLook | null
}

/**
 * Milliseconds: how long a store may stay away before the count is given up, and before a figure is given up that the
 * result is complete without.
 */
const usual = { count: 60_000, figure: 10_000, every: 500 }

export function openCounter(
  sampler: Sampler,
  database: ExecutionDatabase | null,
  queue: Queue | null,
  signal?: AbortSignal,
  patience = usual,
): Counter {
  const crashed = new Set<string>()

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

  return {
    count: (timeout) =>
      again(async () => {
        const counts = await sampler.count(timeout)
        if (!counts) return null
        const [entries, look] = await Promise.all([database?.look() ?? null, queue?.look() ?? null])
        return { ...counts, database: entries && keepCrashed(entries, crashed), queue: look }
      }, patience.count),
    times: (after) => figure((asked) => asked.times(after)),
    finishedBy: (after) => figure((asked) => asked.finishedBy(after)),
    size: () => figure((asked) => asked.size()),
    async close() {
      await Promise.all([database?.close(), queue?.close()])
    },
  }
}

/** Bull gives up the job of a dead worker after two minutes. Then n8n changes the execution from crashed to failed. */
function keepCrashed(entries: ExecutionCounts, crashed: Set<string>): ExecutionCounts {
  for (const id of entries.crashed) crashed.add(id)
  const failed = entries.failed.filter((id) => !crashed.has(id))
  return { ...entries, failed, crashed: [...crashed] }
}
