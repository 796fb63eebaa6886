import { linearRegression, linearRegressionLine, mean, sum } from 'simple-statistics'
import type { ExecutionCounts } from '../observe/database/rows.ts'
import type { QueueLook } from '../observe/queue.ts'
import type { Executions, Sample } from '../observe/sample.ts'
import type { Accounting } from './summary.ts'

/** Counts at one moment. */
export interface Counts {
  /** By n8n's metrics, over its restarts. */
  executions: Executions
  /** Begun and not ended, in processes that live. */
  underWay: number
  /** By its database and its queue; null where they cannot be asked. */
  database: ExecutionCounts | null
  queue: QueueLook | null
}

interface Window {
  startedAt: number
  endedAt: number
}

/**
 * What became of the accepted requests, from counts before the load and after the wait for its end. A load that ended
 * early has no window: its second half is one in which executions that take their time had not begun to end.
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

/** Nobody asked n8n: that it accepted them is all there is to say. */
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
 * Still to be ended by a process that lives. A row that nobody works on any more is open for ever; a count that died is
 * none.
 */
export const waitingOf = ({ database, underWay }: Counts) =>
  Math.max(0, Math.min(database?.open.length ?? Infinity, underWay))

/**
 * Never less than none: what the lab began by asking whether n8n is back may have died, too, and is taken off all the
 * same.
 */
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

/** Open, and with no process that could end them. */
const abandoned = (counts: WithDatabase) => (waitingOf(counts) === 0 ? counts.database.open : [])

/** What n8n's metrics say was ended meanwhile. */
export function ended(before: Counts, after: Counts): Pick<Fate, 'finished' | 'failed'> {
  return {
    finished: gained(before.executions.succeeded, after.executions.succeeded),
    failed: gained(before.executions.failed, after.executions.failed),
  }
}

function fromMetrics(accepted: number, before: Counts, after: Counts): Fate {
  const { finished, failed } = ended(before, after)
  // A restarted n8n counts the ends of executions anew whose beginnings it counted in its former life.
  const waiting = waitingOf(after)
  const lost = Math.max(0, Math.min(accepted, waitingOf(before) + accepted - finished - failed - waiting))
  return { finished, failed, waiting, lost, lostExecutions: [] }
}

/** Fewer than this are the difference between two looks, not growth. */
const least = 2
/** A trend within so many of its standard errors may be no trend at all. */
const doubt = 3

/**
 * Growth of the executions under way over the second half of the load, as a share of those begun in it. The first
 * half is left to executions that take their time: with 5 s each, the number under way rises for 5 s and then stays.
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
 * By the trend of all looks: one at an unlucky moment would make a growth of its own. 0 where it is no more than noise.
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

/** Executions over all processes, once each of them was looked at anew: what one began another ends. */
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
