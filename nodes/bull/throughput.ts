import type { Counts } from './counts'

/** The state at one moment, in ms since 1970. */
export interface Look {
  at: number
  added: number
  /** Neither finished nor failed yet. */
  underWay: number
}

export interface Throughput {
  overSeconds: number
  addedPerSecond: number
  /** Including failed and stopped ones: they have left the queue. */
  finishedPerSecond: number
}

export const lookFrom = ({ added, waiting, active, delayed }: Counts, at: number): Look => ({
  at,
  added,
  underWay: waiting + active + delayed,
})

/**
 * The rates between two looks; none without an earlier look, or after a new start of Redis. n8n deletes finished jobs,
 * so their number is what was added and is no longer under way.
 */
export function throughputBetween(earlier: Look | undefined, later: Look): Throughput | undefined {
  const overSeconds = earlier ? (later.at - earlier.at) / 1000 : 0
  if (!earlier || overSeconds <= 0 || later.added < earlier.added) return undefined

  const added = later.added - earlier.added
  const finished = added - (later.underWay - earlier.underWay)
  return { overSeconds, addedPerSecond: added / overSeconds, finishedPerSecond: Math.max(0, finished) / overSeconds }
}
