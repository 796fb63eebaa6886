import { linearRegression, linearRegressionLine, mean, sum } from 'simple-statistics'
import type { Called, Ends, Tally } from '../n8n/executions.ts'
import type { QueueLook } from '../n8n/queue.ts'
import type { Arrivals } from '../model/load.ts'
import type { Executions, Sample } from '../model/sample.ts'
import type { Accounting, Silence } from '../model/step.ts'

/** Counts at one moment. */
export interface Counts {
  /** By n8n's metrics, over its restarts. */
  executions: Executions
  /** Begun and not yet ended, in processes that are still alive. */
  underWay: number
  /** By its database: the newest execution, and how many have not ended; null where the lab cannot ask it. */
  database: { newest: number; open: number } | null
  queue: QueueLook | null
}

interface Window {
  startedAt: number
  endedAt: number
}

/** A load that ran to its end. */
interface Whole extends Window {
  /** Absent where clients send their next request after the last answer. */
  arrivals?: Arrivals
  /** Milliseconds within which 95 % of its executions ended; null where n8n's database does not say. */
  took: number | null
}

/** What is known of a load's executions, from before it until the wait for their end was over. */
export interface Known {
  accepted: number
  /** Requests that n8n received, whatever it answered. */
  sent: number
  before: Counts
  after: Counts
  /** What its database says of the executions that the load began; null where it cannot be asked. */
  tally: Tally | null
  /** The workflows that the load called. */
  called: Called[]
  /** Executions that the lab's own checks of n8n began since the load. */
  asked: number
  /** Nothing but the load begins executions there: no sub-workflow, no schedule, nobody else. */
  alone: boolean
}

/**
 * The outcome of the accepted requests. A load that ended early has no window: long executions had not begun to end in
 * its second half.
 */
export function account(known: Known, samples: Sample[], window: Whole | null): Accounting {
  const fate = known.tally ? fromDatabase(known, known.tally) : fromMetrics(known)
  const silent = window ? silences(samples, window) : []
  return {
    accepted: known.accepted,
    ...fate,
    backlogGrowth: window && backlogGrowth(samples, window),
    ...(silent.length && { silent }),
  }
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

type Fate = Pick<Accounting, 'finished' | 'failed' | 'waiting' | 'lost' | 'lostExecutions' | 'unknown'>

/** Executions that a living process will still end. A row without a process stays open for ever. */
export const waitingOf = (counts: Counts) => Math.max(0, Math.min(counts.database?.open ?? Infinity, livingOf(counts)))

const livingOf = (counts: Counts) =>
  counts.queue && isUncounted(counts) ? counts.queue.waiting + counts.queue.active : counts.underWay

/** The workers of n8n 1 count no executions in their metrics: its queue then knows what is under way. */
export const isUncounted = ({ executions, database }: Counts) => executions.started <= 0 && (database?.newest ?? 0) > 0

/** At least 0, because the lab's own first requests may have died with the process, and are subtracted nevertheless. */
export const gained = (before: number, after: number) => Math.max(0, after - before)

/** All workflows of a load together. */
export function endsOf({ by }: Pick<Tally, 'by'>): Ends {
  const total = (key: keyof Ends) => sum(Object.values(by).map((each) => each[key]))
  return {
    finished: total('finished'),
    failed: total('failed'),
    crashed: total('crashed'),
    open: total('open'),
    unknown: total('unknown'),
  }
}

function fromDatabase(known: Known, tally: Tally): Fate {
  const { accepted, after } = known
  const ends = endsOf(tally)
  // The lab's own checks carry no mark, so they may be among the calls of others.
  const asked = Math.max(0, known.asked - tally.others)
  const finished = Math.max(0, ends.finished - asked)
  const begun = sum(Object.values(ends)) - asked
  const waiting = Math.max(0, Math.min(ends.open, livingOf(after)))
  // Open, with no process left to end them.
  const abandoned = waiting === 0 ? ends.open : 0
  // n8n may have deleted the rows of those that are missing. Then it is not known that it never began them.
  const missing = Math.max(0, accepted - begun)
  const gone = Math.min(missing, tally.gone)
  const outcome = endOfGone(known)
  const told = {
    finished: finished + (outcome === 'finished' ? gone : 0),
    failed: ends.failed + (outcome === 'failed' ? gone : 0),
    unknown: ends.unknown + (outcome === 'unknown' ? gone : 0),
  }
  const { unknown, ...sure } = told.unknown > 0 ? toldByMetrics(known, told) : told
  return {
    ...sure,
    waiting,
    lost: ends.crashed + abandoned + missing - gone,
    lostExecutions: [...tally.names.crashed, ...(abandoned ? tally.names.open : [])],
    ...(unknown > 0 && { unknown }),
  }
}

/** How an execution ended that left no row: as the only kind that n8n does not keep, if only the load's can be gone. */
function endOfGone({ called, alone }: Known): 'finished' | 'failed' | 'unknown' {
  const only = (kind: 'success' | 'error') => called.every(({ kept }) => !kept[kind] && kept.success !== kept.error)
  if (!alone) return 'unknown'
  return only('success') ? 'finished' : only('error') ? 'failed' : 'unknown'
}

interface Told {
  finished: number
  failed: number
  unknown: number
}

/** n8n's metrics say how executions ended that it did not keep, if they count the same executions. */
function toldByMetrics({ before, after, asked, alone }: Known, told: Told): Told {
  const by = ended(before, after)
  const finished = by.finished - asked
  const same = finished + by.failed === told.finished + told.failed + told.unknown
  const fits = finished >= told.finished && by.failed >= told.failed
  return alone && same && fits ? { finished, failed: by.failed, unknown: 0 } : told
}

/** How many executions ended between the two counts, by n8n's metrics. */
export function ended(before: Counts, after: Counts): { finished: number; failed: number } {
  return {
    finished: gained(before.executions.succeeded, after.executions.succeeded),
    failed: gained(before.executions.failed, after.executions.failed),
  }
}

function fromMetrics({ accepted, sent, before, after, asked, alone }: Known): Fate {
  // After a restart, n8n counts the ends of executions whose beginnings it counted before the restart.
  const waiting = waitingOf(after)
  const started = gained(before.executions.started, after.executions.started) - asked
  // Sub-workflows or others ran too, and nothing tells whose executions ended.
  if (!alone && started > sent) return { finished: null, failed: null, waiting, lost: null, lostExecutions: [] }
  const { failed, ...by } = ended(before, after)
  const finished = Math.max(0, by.finished - asked)
  const lost = Math.max(0, Math.min(accepted, waitingOf(before) + accepted - finished - failed - waiting))
  return { finished, failed, waiting, lost, lostExecutions: [] }
}

/** Fewer looks in a row without an answer may be chance. */
const leastSilent = 2
/** Of a load: around a shorter gap, what was under way still shows whether it grows. */
const gap = 0.1

/** The processes that answered no look for a while: what they had under way then is not known. */
export function silences(samples: Sample[], { startedAt, endedAt }: Window): Silence[] {
  const looks = samples.filter(({ at }) => at >= startedAt && at <= endedAt)
  return [...Map.groupBy(looks, ({ process }) => process)].flatMap(([process, all]) => {
    let longest = 0
    let since: number | null = null
    let count = 0
    for (const { at, silent } of [...all, { at: endedAt, silent: undefined }]) {
      if (silent) {
        since ??= at
        count++
        continue
      }
      if (since !== null && count >= leastSilent) longest = Math.max(longest, at - since)
      since = null
      count = 0
    }
    return longest > gap * (endedAt - startedAt) ? [{ process, seconds: Math.round(longest / 1000) }] : []
  })
}

/** A smaller number is the difference between two looks, not growth. */
const least = 2
/** A trend smaller than this many standard errors, of its own or of what random arrivals do, may be no trend at all. */
const doubt = 3

/**
 * Growth of the executions under way over the second half of the load, as a share of those begun in it. Long executions
 * need the first half: with 5 s each, the number under way rises for 5 s and then stays.
 */
export function backlogGrowth(samples: Sample[], { startedAt, endedAt, arrivals, took }: Whole): number | null {
  const middle = (startedAt + endedAt) / 2
  const looks = inTime(samples).filter(({ at }) => at >= middle && at <= endedAt)
  const [first, last] = [looks[0], looks.at(-1)]
  if (!first || !last || first === last) return null
  const begun = last.started - first.started
  if (begun === 0) return 0
  const counts = looks.map(underWay)
  const expected = Math.min(mean(counts), took === null ? Infinity : (begun * took) / (last.at - first.at))
  const chance = arrivals === 'random' ? byChance(expected, begun) : 0
  const grown = growth(looks.map(({ at }, index) => [at, counts[index]!]))
  return grown > doubt * chance ? grown / begun : 0
}

/**
 * By how much the number under way grows or shrinks over a time in which so many begin at random, though n8n keeps up:
 * one standard deviation. Short executions even out within the time. Those that take about as long as it do not: a
 * hundred a second of five seconds each are 500 ± 22 at any moment. In simulations of long executions, the growth by
 * chance was 0.7 to 1.2 times this.
 */
const byChance = (underWay: number, begun: number) => Math.sqrt(underWay * Math.min(3, (12 * underWay) / begun))

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
  // One that does not answer has executions all the same.
  const counting = new Set(
    samples.filter(({ executions, silent }) => executions || silent).map(({ process }) => process),
  )
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
