import type { Limit } from '../model/result.ts'
import type { Samples } from '../model/samples.ts'
import { mean, medianKnown } from './statistics.ts'
import { meanOf, openFigureTally } from './tally.ts'
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
  /** Connections that work in PostgreSQL on average, and how many of them read the editor's list; null as above. */
  lists: { reading: number; active: number } | null
  /** Executions that run, and jobs that wait for a worker; null where they are not counted. */
  executions: { active: number; waiting: number | null } | null
  /** How many may run at once; null where n8n has no limit of its own. */
  slots: number | null
  /** How many tasks of Code nodes the task runners run at once; null where there are no such nodes. */
  runner: number | null
  /** Milliseconds of a request: waiting for services, and all of it on average; null where that is not known. */
  request: { services: number; all: number } | null
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
  samples: Samples
  queue: QueueSample[]
  database: DatabaseSample[]
}

/** What was there to be used. */
export interface Given {
  processes: { name: string; limits: Pick<Limit, 'cpu'> }[]
  cores: number | null
  heaps: Record<string, number>
  slots: number | null
  runner: number | null
  request: Seen['request']
}

export function seenIn(
  { samples, queue, database }: Sampled,
  { startedAt, endedAt }: { startedAt: number; endedAt: number },
  { processes, cores, heaps, slots, runner, request }: Given,
): Seen {
  const isDuring = ({ at }: { at: number }) => at >= startedAt && at <= endedAt
  const [jobs, databases] = [queue.filter(isDuring), database.filter(isDuring)]
  const all = new Map(processes.map(({ name }) => [name, openLooks()]))
  const running = openFigureTally()
  for (const sample of samples) {
    if (!isDuring(sample)) continue
    all.get(sample.process)?.add(sample)
    const { process, executions } = sample
    // In regular mode main alone executes; how many it holds back it does not say.
    if (process === 'main-0' && executions) running.add(executions.started - executions.succeeded - executions.failed)
  }
  return {
    processes: processes.flatMap(({ name, limits }) => all.get(name)!.busy(name, limits.cpu, heaps[name]) ?? []),
    cores,
    redis: medianKnown(jobs.map(({ took }) => took)),
    disk: databases.length ? databases.filter(({ onDisk }) => onDisk > 0).length / databases.length : null,
    lists: listsOf(databases),
    executions: jobs.length ? inQueue(jobs) : running.count ? { active: running.mean, waiting: null } : null,
    slots,
    runner,
    request,
  }
}

/** The looks at one process that say how much CPU it used. */
function openLooks() {
  const [cpu, throttled, ran, waited, heapUsed] = [
    openFigureTally(),
    openFigureTally(),
    openFigureTally(),
    openFigureTally(),
    openFigureTally(),
  ]
  const pool = { active: openFigureTally(), waiting: openFigureTally(), max: null as number | null }
  return {
    add(sample: Sample): void {
      if (sample.cpu === null) return
      cpu.add(sample.cpu)
      throttled.add(sample.throttled)
      ran.add(sample.loop?.ran)
      waited.add(sample.loop?.waited)
      heapUsed.add(sample.heapUsed)
      pool.active.add(sample.pool?.active)
      pool.waiting.add(sample.pool?.waiting)
      pool.max ??= sample.pool?.max ?? null
    },
    busy(process: string, limit: number | null, heap: number | undefined): Busy | null {
      if (cpu.count === 0) return null
      return {
        process,
        cpu: cpu.mean,
        limit,
        throttled: meanOf(throttled),
        loop: ran.count ? { ran: ran.mean, waited: waited.mean } : null,
        heap: heapUsed.count && heap !== undefined ? { least: heapUsed.min, limit: heap } : null,
        pool: pool.max === null ? null : { active: pool.active.mean, waiting: pool.waiting.mean, max: pool.max },
      }
    },
  }
}

/** What the heap of a process held when it was last looked at before then: a new one has a heap of its own. */
export const heapBefore = (
  samples: Pick<Samples, 'findLast'>,
  { process, at }: { process: string; at: number },
): number | null =>
  samples.findLast((sample) => sample.process === process && sample.at <= at && sample.heapUsed !== null)?.heapUsed
  ?? null

function listsOf(looks: DatabaseSample[]): Seen['lists'] {
  const known = looks.filter(({ lists }) => lists !== undefined)
  return known.length
    ? { reading: mean(known.map(({ lists }) => lists!)), active: mean(known.map(({ active }) => active)) }
    : null
}

const inQueue = (jobs: QueueSample[]) => ({
  active: mean(jobs.map(({ active }) => active)),
  waiting: mean(jobs.map(({ waiting }) => waiting)),
})
