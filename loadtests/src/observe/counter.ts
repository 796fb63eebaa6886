import type { DatabaseSize, ExecutionCounts, ExecutionDatabase, Times } from './database/rows.ts'
import type { Queue, QueueLook } from './queue.ts'
import type { Executions } from './sample.ts'
import type { Sampler } from './sampler.ts'

/** Everything that counts executions, asked at one moment. */
export interface Counter {
  /** Null where a process does not say in time what it counted. */
  count(timeout: number): Promise<Counted | null>
  /** How long executions begun after that many others took, by n8n's database; null where it does not say. */
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
  /** Requests that each process has answered, of those that are sent some. */
  requests: Record<string, number>
  database: ExecutionCounts | null
  queue: QueueLook | null
}

export function openCounter(sampler: Sampler, database: ExecutionDatabase | null, queue: Queue | null): Counter {
  const crashed = new Set<string>()
  return {
    async count(timeout) {
      const counts = await sampler.count(timeout)
      if (!counts) return null
      const [entries, look] = await Promise.all([database?.look() ?? null, queue?.look() ?? null])
      return { ...counts, database: entries && keepCrashed(entries, crashed), queue: look }
    },
    // What was measured stands without it.
    times: async (after) => (await database?.times(after).catch(() => null)) ?? null,
    finishedBy: async (after) => (await database?.finishedBy(after).catch(() => null)) ?? null,
    size: async () => (await database?.size().catch(() => null)) ?? null,
    async close() {
      await Promise.all([database?.close(), queue?.close()])
    },
  }
}

/**
 * Bull gives a dead worker's job up two minutes later, and n8n then calls an execution failed that it had called
 * crashed.
 */
function keepCrashed(entries: ExecutionCounts, crashed: Set<string>): ExecutionCounts {
  for (const id of entries.crashed) crashed.add(id)
  const failed = entries.failed.filter((id) => !crashed.has(id))
  return { ...entries, failed, crashed: [...crashed] }
}
