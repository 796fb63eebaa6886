import { linearRegression, linearRegressionLine, mean, sum } from 'simple-statistics'
import type { ExecutionCounts } from '../n8n/database/rows.ts'
import type { QueueLook } from '../n8n/queue.ts'
import type { Executions, Sample } from '../model/sample.ts'
import type { Accounting } from '../model/step.ts'

/** Counts at one moment. */
export interface Counts {
  /** By n8n's metrics, over its restarts. */
  executions: Executions
  /** Begun and not yet ended, in processes that are still alive. */
  underWay: number
  /** Counted by its database and its queue; null where the lab cannot ask them. */
  database: ExecutionCounts | null
  queue: QueueLook | null
}

interface Window {
  startedAt: number
  endedAt: number
}

/**
 * The outcome of the accepted requests, from counts before the load and after the wait for its end. A load that ended
 * early has no window: long executions had not begun to end in its second half.
 */
export function account(
  accepted: number,
  before: Counts,
  after: Counts,
  samples: Sample[],
  window: Window | null,
): Accounting {
  const fate =
    before.database && after.database
      ? fromDatabase(accepted, before as WithDatabase, after as WithDatabase)
      : fromMetrics(accepted, before, after)
  return { accepted, ...fate, backlogGrowth: window && backlogGrowth(samples, window) }
}

/** Without n8n's own counts, all the lab knows is that n8n accepted the requests. */
export const uncounted = (accepted: number): Accounting => ({
  accepted,
  finished: null,
  failed: null,
  waiting: null,
  lost: null,
  lostExecutions: [],
  backlogGrowth: null,
})

type Fate = Record<'finished' | 'failed' | 'waiting' | 'lost', number> & Pick<Accounting, 'lostExecutions'>
type WithDatabase = Counts & { database: ExecutionCounts }

/**
 * Executions that a living process will still end. A row without a process stays open for ever, and counts of a dead
 * process do not count.
 */
export const waitingOf = (counts: Counts) =>
  Math.max(0, Math.min(counts.database?.open.length ?? Infinity, livingOf(counts)))

const livingOf = (counts: Counts) =>
  counts.queue && isUncounted(counts) ? counts.queue.waiting + counts.queue.active : counts.underWay

/** The workers of n8n 1 count no executions in their metrics: its queue then knows what is under way. */
export const isUncounted = ({ executions, database }: Counts) => executions.started <= 0 && (database?.begun ?? 0) > 0

/** At least 0, because the lab's own first requests may have died with the process, and are subtracted nevertheless. */
export const gained = (before: number, after: number) => Math.max(0, after - before)

function fromDatabase(accepted: number, before: WithDatabase, after: WithDatabase): Fate {
  const waiting = waitingOf(after)
  const known = new Set([...before.database.crashed, ...abandoned(before)])
  const died = [...after.database.crashed, ...abandoned(after)].filter((id) => !known.has(id))
  return {
    finished: gained(before.database.finished, after.database.finished),
    failed: after.database.failed.length - before.database.failed.length,
    waiting,
    lost: died.length + Math.max(0, accepted - gained(before.database.begun, after.database.begun)),
    lostExecutions: died,
  }
}

/** Open, with no process left to end them. */
const abandoned = (counts: WithDatabase) => (waitingOf(counts) === 0 ? counts.database.open : [])

/** How many executions ended between the two counts, by n8n's metrics. */
export function ended(before: Counts, after: Counts): Pick<Fate, 'finished' | 'failed'> {
  return {
    finished: gained(before.executions.succeeded, after.executions.succeeded),
    failed: gained(before.executions.failed, after.executions.failed),
  }
}

function fromMetrics(accepted: number, before: Counts, after: Counts): Fate {
  const { finished, failed } = ended(before, after)
  // After a restart, n8n counts the ends of executions whose beginnings it counted before the restart.
  const waiting = waitingOf(after)
  const lost = Math.max(0, Math.min(accepted, waitingOf(before) + accepted - finished - failed - waiting))
  return { finished, failed, waiting, lost, lostExecutions: [] }
}

/** A smaller number is the difference between two looks, not growth. */
const least = 2
/** A trend smaller than this many of its standard errors may be no trend at all. */
const doubt = 3

/**
 * Growth of the executions under way over the second half of the load, as a share of those begun in it. Long executions
 * need the first half: with 5 s each, the number under way rises for 5 s and then stays.
 */
export function backlogGrowth(samples: Sample[], { startedAt, endedAt }: Window): number | null {
  const middle = (startedAt + endedAt) / 2
  const looks = inTime(samples).filter(({ at }) => at >= middle && at <= endedAt)
  const [first, last] = [looks[0], looks.at(-1)]
  if (!first || !last || first === last) return null
  const grown = growth(looks.map((look) => [look.at, underWay(look)]))
  const begun = last.started - first.started
  return begun === 0 ? 0 : grown / begun
}

/**
 * From the trend of all looks, because a single look at an unlucky moment would show growth. 0 where the trend is
 * within the noise.
 */
function growth(looks: [at: number, underWay: number][]): number {
  const line = linearRegression(looks)
  const at = linearRegressionLine(line)
  const [begin, end] = [looks[0]![0], looks.at(-1)![0]]
  const grown = line.m * (end - begin)
  const centre = mean(looks.map(([time]) => time))
  const scatter = sum(looks.map(([time, count]) => (count - at(time)) ** 2)) / Math.max(1, looks.length - 2)
  const error = Math.sqrt(scatter / sum(looks.map(([time]) => (time - centre) ** 2))) * (end - begin)
  return grown > Math.max(least, doubt * error) ? grown : 0
}

const underWay = ({ started, succeeded, failed }: Executions) => started - succeeded - failed

/** Executions over all processes, once each process was looked at again: one process may end what another began. */
function inTime(samples: Sample[]): (Executions & { at: number })[] {
  const newest = new Map<string, Executions>()
  const counting = new Set(samples.filter(({ executions }) => executions).map(({ process }) => process))
  return samples.flatMap(({ at, process, executions }) => {
    if (!executions) return []
    newest.set(process, executions)
    if (newest.size < counting.size) return []
    const round = [...newest.values()]
    newest.clear()
    const total = (key: keyof Executions) => sum(round.map((each) => each[key]))
    return [{ at, started: total('started'), succeeded: total('succeeded'), failed: total('failed') }]
  })
}
