import type { Limits } from '../chart/plan.ts'
import { mean, median, min } from './statistics.ts'
import type { DatabaseSample, Pool, QueueSample, Sample } from '../model/sample.ts'

/** What was seen of everything that can run out, while the load of a step was on it. */
export interface Seen {
  processes: Busy[]
  /** Cores that n8n's processes share; null where that is unknown. */
  cores: number | null
  /** Milliseconds that Redis took to answer, half of the times; null where there is none to ask. */
  redis: number | null
  /** The share of the looks in which PostgreSQL waited for its disk; null where it is not asked. */
  disk: number | null
  /** Executions that run, and jobs that wait for a worker; null where they are not counted. */
  executions: { active: number; waiting: number | null } | null
  /** How many may run at once; null where n8n has no limit of its own. */
  slots: number | null
}

/** A process during a step: cores that it used on average, and those it may use. */
export interface Busy {
  process: string
  cpu: number
  limit: number | null
  /** The share of the periods in which its CPU limit stopped it. */
  throttled?: number | null
  /** The shares of the time that the thread of its event loop ran, and waited for a core. */
  loop?: { ran: number; waited: number } | null
  /** Bytes that its heap held at the least, and may hold. */
  heap?: { least: number; limit: number } | null
  pool?: Pool | null
}

export interface Sampled {
  samples: Sample[]
  queue: QueueSample[]
  database: DatabaseSample[]
}

/** What was there to be used. */
export interface Given {
  processes: { name: string; limits: Pick<Limits, 'cpu'> }[]
  cores: number | null
  heaps: Record<string, number>
  slots: number | null
}

export function seenIn(
  { samples, queue, database }: Sampled,
  { startedAt, endedAt }: { startedAt: number; endedAt: number },
  { processes, cores, heaps, slots }: Given,
): Seen {
  const during = <Look extends { at: number }>(looks: Look[]) =>
    looks.filter(({ at }) => at >= startedAt && at <= endedAt)
  const [own, jobs, databases] = [during(samples), during(queue), during(database)]
  return {
    processes: processes.flatMap(({ name, limits }) => {
      const looks = own.filter(({ process, cpu }) => process === name && cpu !== null)
      return looks.length ? [busyIn(name, looks, limits.cpu, heaps[name])] : []
    }),
    cores,
    redis: known(
      median,
      jobs.map(({ took }) => took),
    ),
    disk: databases.length ? databases.filter(({ onDisk }) => onDisk > 0).length / databases.length : null,
    executions: jobs.length ? inQueue(jobs) : inMain(own),
    slots,
  }
}

function busyIn(process: string, looks: Sample[], limit: number | null, heap: number | undefined): Busy {
  const loops = looks.flatMap(({ loop }) => loop ?? [])
  const pools = looks.flatMap(({ pool }) => pool ?? [])
  const least = known(
    min,
    looks.map(({ heapUsed }) => heapUsed),
  )
  const average = <Look>(all: Look[], of: (look: Look) => number) => mean(all.map(of))
  return {
    process,
    cpu: average(looks, ({ cpu }) => cpu!),
    limit,
    throttled: known(
      mean,
      looks.map(({ throttled }) => throttled),
    ),
    loop: loops.length
      ? { ran: average(loops, ({ ran }) => ran), waited: average(loops, ({ waited }) => waited) }
      : null,
    heap: least !== null && heap !== undefined ? { least, limit: heap } : null,
    pool: pools.length
      ? {
          active: average(pools, ({ active }) => active),
          waiting: average(pools, ({ waiting }) => waiting),
          max: pools[0]!.max,
        }
      : null,
  }
}

/** What the heap of a process held when it was last looked at before then: a new one has a heap of its own. */
export const heapBefore = (samples: Sample[], { process, at }: { process: string; at: number }): number | null =>
  samples.findLast((sample) => sample.process === process && sample.at <= at && sample.heapUsed !== null)?.heapUsed
  ?? null

const inQueue = (jobs: QueueSample[]) => ({
  active: mean(jobs.map(({ active }) => active)),
  waiting: mean(jobs.map(({ waiting }) => waiting)),
})

/** In regular mode main alone executes; how many it holds back it does not say. */
function inMain(samples: Sample[]): Seen['executions'] {
  const running = samples.flatMap(({ process, executions }) =>
    process === 'main-0' && executions ? [executions.started - executions.succeeded - executions.failed] : [],
  )
  return running.length ? { active: mean(running), waiting: null } : null
}

function known(over: (values: number[]) => number, values: (number | null | undefined)[]): number | null {
  const all = values.filter((value) => value !== null && value !== undefined)
  return all.length ? over(all) : null
}
