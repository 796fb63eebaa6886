/** When a load on somebody else's n8n ends by itself. It needs neither k6 nor Node: k6 stops by it, and the lab tells. */

/** More than this share of the answers are errors. */
export const most = 0.1
/** Right answers that are counted from the start, so that one early error is no share yet. */
export const ahead = 20

export const isTooWrong = (wrong: number, answers: number): boolean => wrong > most * (answers + ahead)

/** Milliseconds that are looked back on, and for which requests are late until the load ends. */
const late = { within: 2000, since: 1500, least: 3 }

export interface Lateness {
  /** A request that began to wait at a moment has its answer now. */
  answered(since: number, now: number): void
  /** Whether it is time to end the load. `waiting`: since when the requests wait that have no answer yet. */
  isTooLong(waiting: Iterable<number>, now: number): boolean
}

/** Callers wait longer than the objective allows: most of those of the last two seconds, and not for a moment only. */
export function watchLateness(objective: number): Lateness {
  let recent: { at: number; lateFrom: number | null }[] = []
  return {
    answered(since, now) {
      recent.push({ at: now, lateFrom: now - since > objective ? since + objective : null })
    },
    isTooLong(waiting, now) {
      recent = recent.filter(({ at }) => at > now - late.within)
      const lateFrom = recent.flatMap((answer) => answer.lateFrom ?? [])
      const inTime = recent.length - lateFrom.length
      for (const since of waiting) if (now - since > objective) lateFrom.push(since + objective)
      return lateFrom.length >= late.least && lateFrom.length > inTime && now - Math.min(...lateFrom) >= late.since
    },
  }
}
