import type { DatabaseSize, HeldStep, KeptHeap, Step } from '../model/step.ts'
import { costOfMillion } from './fleet/model.ts'
import { slopeOf } from './slope.ts'
import { medianKnown } from './statistics.ts'
import type { QueueSample, Sample } from '../model/sample.ts'
import {
  type Growth,
  type Held,
  isSoak,
  type Operating,
  type Soak,
  type Thirds,
  usualShare,
} from '../model/operating.ts'
import type { Capacity } from '../model/result.ts'
import { safeOf } from './sustained.ts'
import { tellOf } from './tries.ts'

/** What to run a configuration at: its safe rate, and what was seen when that was held for minutes. */

/** The safe rate; where nothing is known of how far the figure may be off, the figure. */
export const edgeOf = (capacity: Capacity): number => safeOf({ capacity })?.rate ?? capacity.rate

/** Three digits, so that the rate held is the rate written. */
export const roundedShare = (edge: number, share: number): number => Number((edge * share).toPrecision(3))

/** What was seen all the while. */
export interface Observed {
  samples: Iterable<Sample>
  queue: QueueSample[]
}

interface Given {
  capacity: Capacity
  /** One after the other, each at a smaller share. */
  held: HeldStep[]
  observed: Observed
  /** What the configuration costs a month, where the user gave a price. */
  monthly: number | null
}

export function operatingOf({ capacity, held, observed, monthly }: Given): Operating {
  const last = held.at(-1)
  const share = last?.share ?? usualShare
  const rate = last?.load.rate ?? roundedShare(edgeOf(capacity), share)
  return {
    rate,
    share,
    held: last ? heldOf(last, observed) : null,
    costOfMillion: monthly === null ? null : costOfMillion(monthly, rate),
  }
}

const secondsOfDay = 24 * 60 * 60

/** What was seen while the one rate that was asked for lasted; null where that was for too short. */
export function soakOf(steps: Step[], observed: Observed): Soak | null {
  const step = steps.find(
    ({ purpose, load }) => purpose === 'measure' && isSoak((load.endedAt - load.startedAt) / 1000),
  )
  const rate = step?.load.rate
  return step && rate ? { rate, held: heldOf({ ...step, database: null }, observed) } : null
}

function heldOf(
  { load, holds, reasons, lateness, accounting, database, keptHeaps }: Omit<HeldStep, 'share'>,
  { samples, queue }: Observed,
): Held {
  const seconds = (load.endedAt - load.startedAt) / 1000
  const thirds = thirdsOf(load.startedAt, load.endedAt)
  return {
    seconds,
    holds,
    reasons,
    ...(lateness && !tellOf([{ holds, reasons, lateness }]).sure && { unsure: true as const }),
    p95: load.latency?.p95 ?? null,
    backlogGrowth: accounting.backlogGrowth,
    memory: growthOf(samples, thirds, keptHeaps),
    keys: thirds.medians(queue.filter(thirds.isLater), ({ keys }) => keys),
    database: database && {
      bytesOfDay: ((database.after.bytes - database.before.bytes) / seconds) * secondsOfDay,
      keptOfDay: ((database.after.kept - database.before.kept) / seconds) * secondsOfDay,
      transactions: transactionsOf(database.before, database.after, load.accepted),
    },
  }
}

/** n8n fills its caches and its heap in the first third: what comes after it is growth. */
function thirdsOf(from: number, to: number) {
  const third = (to - from) / 3
  return {
    isLater: ({ at }: { at: number }) => at > from + third && at <= to,
    medians<T extends { at: number }>(later: T[], of: (one: T) => number | null | undefined): Thirds | null {
      const parts = [later.filter(({ at }) => at <= to - third), later.filter(({ at }) => at > to - third)]
      const [second, last] = parts.map((part) => medianKnown(part.map(of)))
      return typeof second === 'number' && typeof last === 'number' ? { second, last } : null
    },
  }
}

/** What growth is told by: a run has too many samples to keep all of each. */
type Look = Pick<Sample, 'at' | 'rss' | 'heapUsed' | 'heapTotal' | 'files'>

function growthOf(
  samples: Iterable<Sample>,
  { isLater, medians }: ReturnType<typeof thirdsOf>,
  keptHeaps: KeptHeap[] = [],
): Growth[] {
  const looks = new Map<string, Look[]>()
  for (const sample of samples) {
    if (!isLater(sample)) continue
    const { process, at, rss, heapUsed, heapTotal, files } = sample
    const own = looks.get(process) ?? []
    looks.set(process, own)
    own.push({ at, rss, heapUsed, heapTotal, files })
  }
  return [...looks].flatMap(([process, own]) => {
    const memory = medians(own, ({ rss }) => rss)
    if (!memory) return []
    const slope = (of: (look: Look) => number | null) =>
      slopeOf(
        own.flatMap((look): Array<[number, number]> => {
          const value = of(look)
          return value === null ? [] : [[look.at, value]]
        }),
      )
    const heap = medians(own, ({ heapUsed }) => heapUsed)
    const files = medians(own, (each) => each.files)
    const outside = slope(({ rss, heapTotal }) => (rss === null || heapTotal === null ? null : rss - heapTotal))
    const kept = keptHeaps.find((each) => each.process === process)
    return [
      {
        process,
        ...memory,
        slope: slope(({ rss }) => rss),
        heap,
        ...(outside && { outside }),
        ...(kept && { keptHeap: { before: kept.before, after: kept.after } }),
        files,
      },
    ]
  })
}

function transactionsOf(before: DatabaseSize, after: DatabaseSize, executions: number): number | null {
  if (before.transactions === null || after.transactions === null || executions === 0) return null
  return (after.transactions - before.transactions) / executions
}
