import type { Sampled } from '../judge/seen.ts'
import { openExecutions, type Begun, type ExecutionDatabase } from '../n8n/executions.ts'
import { openQueue, type Queue } from '../n8n/queue.ts'
import { noting, openOutages, type Outage } from '../lib/outages.ts'
import { Samples } from '../model/samples.ts'
import { openCounter, type Counter } from './counter.ts'
import { startSampler } from './sampler.ts'
import { failProcess, repeat, type Fail } from '../lib/repeat.ts'
import type { Running } from '../n8n/running.ts'
import type { DatabaseSample, QueueSample, Sample } from '../model/sample.ts'
import type { FoundWarning } from '../model/warning.ts'

export type Looked =
  ({ type: 'sample' } & Sample) | ({ type: 'queue' } & QueueSample) | ({ type: 'database' } & DatabaseSample)

export interface Watching {
  onLook(look: Looked): void
  /** Receives what could not be seen. */
  onUnseen(warning: FoundWarning): void
  /** What the load calls, and how its executions are known. */
  load: Omit<Begun, 'after'>
  signal: AbortSignal
  fail: Fail
}

/** So many processes are looked at every second: more would fill the record with more than 100 MB an hour. */
const mostEachSecond = 250

/** Looks at everything of a cell that can run out. The list of what was seen grows until it is told to stop. */
export function watchCell(
  { processes, settings }: Running,
  { onLook, onUnseen, load, signal, fail }: Watching,
): { sampled: Sampled; counter: Counter; awake(isAwake: boolean): Promise<void>; stop(): Promise<void> } {
  const sampled: Sampled = { samples: new Samples(), queue: [], database: [] }
  const sampler = startSampler(
    processes,
    (sample) => {
      sampled.samples.add(sample)
      onLook({ type: 'sample', ...sample })
    },
    1000 * Math.ceil(processes.length / mostEachSecond),
    fail,
  )
  const tell = (outage: Outage) => onUnseen({ code: 'no-answer', ...outage })
  const outages = { queue: openOutages('n8n’s queue', tell), database: openOutages('n8n’s database', tell) }
  const asked = settings && openQueue(settings)
  const queue = asked && noting(asked, outages.queue)
  const unwatchQueue =
    queue
    && watchQueue(
      queue,
      (sample) => {
        sampled.queue.push(sample)
        onLook({ type: 'queue', ...sample })
      },
      undefined,
      fail,
    )
  const database = settings && noting(openExecutions(settings), outages.database)
  const unwatchDatabase =
    database
    && watchDatabase(
      database,
      (sample) => {
        sampled.database.push(sample)
        onLook({ type: 'database', ...sample })
      },
      undefined,
      fail,
    )
  const counter = openCounter({ sampler, database, queue, load }, signal)
  return {
    sampled,
    counter,
    awake: sampler.awake,
    async stop() {
      sampler.stop()
      unwatchQueue?.()
      unwatchDatabase?.()
      outages.queue.close()
      outages.database.close()
      await counter.close()
    },
  }
}

/** Looks at how the queue fills, and how fast Redis answers. */
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

/** Looks at what n8n’s connections do in the database, where it says so. */
export function watchDatabase(
  database: ExecutionDatabase,
  onSample: (sample: DatabaseSample) => void,
  every?: number,
  fail?: Fail,
): () => void {
  const { activity } = database
  return activity ? watch(activity, (seen, at) => onSample({ at, ...seen }), every, fail) : () => {}
}

/**
 * Asks about once a second, and tells how long a look took, in milliseconds. One that fails is left out: whoever asks
 * through `outages` tells of it. Returns what ends that.
 */
function watch<Look>(
  look: () => Promise<Look>,
  onLook: (look: Look, at: number, took: number) => void,
  every = 1000,
  fail: Fail = failProcess,
): () => void {
  let stopped = false
  const end = repeat(
    async () => {
      const asked = performance.now()
      const answer = await look().catch(() => null)
      if (answer !== null && !stopped) onLook(answer, Date.now(), performance.now() - asked)
    },
    every,
    fail,
  )
  return () => {
    stopped = true
    end()
  }
}
