import type { Sampled } from '../analyse/seen.ts'
import { openCounter, type Counter } from '../observe/counter.ts'
import { openExecutionDatabase } from '../observe/database/database.ts'
import { openQueue } from '../observe/queue.ts'
import { startSampler } from '../observe/sampler.ts'
import { watchDatabase, type DatabaseSample } from '../observe/watch-database.ts'
import { watchQueue, type QueueSample } from '../observe/watch-queue.ts'
import type { Sample } from '../observe/sample.ts'
import type { Running } from '../target/target.ts'

export type Looked =
  ({ type: 'sample' } & Sample) | ({ type: 'queue' } & QueueSample) | ({ type: 'database' } & DatabaseSample)

/** Looks at everything of a cell that can run out. The list of what was seen grows until it is told to stop. */
export function watchCell(
  { processes, settings }: Running,
  onLook: (look: Looked) => void,
): { sampled: Sampled; counter: Counter; stop(): Promise<void> } {
  const sampled: Sampled = { samples: [], queue: [], database: [] }
  const sampler = startSampler(processes, (sample) => {
    sampled.samples.push(sample)
    onLook({ type: 'sample', ...sample })
  })
  const queue = settings && openQueue(settings)
  const unwatchQueue =
    queue
    && watchQueue(queue, (sample) => {
      sampled.queue.push(sample)
      onLook({ type: 'queue', ...sample })
    })
  const database = settings && openExecutionDatabase(settings)
  const unwatchDatabase =
    database
    && watchDatabase(database, (sample) => {
      sampled.database.push(sample)
      onLook({ type: 'database', ...sample })
    })
  const counter = openCounter(sampler, database, queue)
  return {
    sampled,
    counter,
    async stop() {
      sampler.stop()
      unwatchQueue?.()
      unwatchDatabase?.()
      await counter.close()
    },
  }
}
