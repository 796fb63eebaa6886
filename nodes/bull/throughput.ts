import type { Counts } from './counts'

/** What there was to see at a moment, in ms since 1970. */
export interface Look {
  at: number
  added: number
  /** Neither finished nor failed yet. */
  underWay: number
}

export interface Throughput {
  overSeconds: number
  addedPerSecond: number
  /** Also those that failed or were stopped: they are out of the queue. */
  finishedPerSecond: number
}

export const lookFrom = ({ added, waiting, active, delayed }: Counts, at: number): Look => ({
  at,
  added,
  underWay: waiting + active + delayed,
})

/**
 * The rates between two looks; none without an earlier one, or after a Redis that began anew.
 * n8n deletes finished jobs, so they are not counted but missed: what was added and is not under way any more.
 */
export function throughputBetween(earlier: Look | undefined, later: Look): Throughput | undefined {
  const overSeconds = earlier ? (later.at - earlier.at) / 1000 : 0
  if (!earlier || overSeconds <= 0 || later.added < earlier.added) return undefined

  const added = later.added - earlier.added
  const finished = added - (later.underWay - earlier.underWay)
  return { overSeconds, addedPerSecond: added / overSeconds, finishedPerSecond: Math.max(0, finished) / overSeconds }
}
