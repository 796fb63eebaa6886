import { studentFor, sum } from '../statistics.ts'

/** One step of load: what a part used, with so many processes, at so many executions a second. */
export interface Use {
  processes: number
  rate: number
  used: number
  /** Seconds that the step lasted: longer ones count for more. */
  seconds: number
}

export interface Line {
  slope: number
  /** Of one process without load. */
  idle: number
  idleKnown: boolean
  /** The ± of the slope, right 9 times in 10; null where nothing is left over to tell it by. */
  within: number | null
}

const share = 0.9

/** Steps tell what a process uses without load if the lowest rate is at most this share of the highest. */
const low = 0.5

/**
 * used = idle × processes + slope × rate, by least squares. Steps of one rate cannot tell the two apart. Then all use
 * counts as of the load, as it does where the idle use comes out below 0. Nor can steps that are all near what n8n
 * sustains: an execution may take less CPU there than at a low rate, and most of the use would seem idle. Idle is then
 * at most `mostIdle`, the least that a process was ever seen to use. It may be less, which widens the ±.
 */
export function lineThrough(uses: Use[], mostIdle = Infinity): Line | null {
  if (uses.length === 0 || uses.every(({ rate }) => rate === 0)) return null
  const all = sum(uses.map(({ seconds }) => seconds))
  const weights = uses.map(({ seconds }) => (seconds / all) * uses.length)
  const total = (of: (use: Use) => number) => sum(uses.map((use, index) => weights[index]! * of(use)))
  const [nn, nx, xx] = [
    total(({ processes }) => processes ** 2),
    total(({ processes, rate }) => processes * rate),
    total(({ rate }) => rate ** 2),
  ]
  const [ny, xy] = [total(({ processes, used }) => processes * used), total(({ rate, used }) => rate * used)]
  const apart = nn * xx - nx ** 2
  // Rates that hardly differ for each process tell nothing of the idle use.
  const told = uses.length > 2 && apart > 0.01 * nn * xx
  const slope = told ? (nn * xy - nx * ny) / apart : xy / xx
  const idle = told ? (xx * ny - nx * xy) / apart : 0
  const each = uses.map(({ rate, processes }) => rate / processes)
  const isTooMuch = told && idle > mostIdle && Math.min(...each) > low * Math.max(...each)
  const idleKnown = told && idle >= 0 && slope >= 0 && !isTooMuch
  const known = isTooMuch ? mostIdle : 0
  const line = idleKnown ? { slope, idle } : { slope: Math.max(0, (xy - known * nx) / xx), idle: known }
  const open = (known * nx) / xx
  const freedom = uses.length - (idleKnown ? 2 : 1)
  if (freedom < 1) return { ...line, idleKnown, within: null }
  const left = total(({ processes, rate, used }) => (used - line.idle * processes - line.slope * rate) ** 2)
  const variance = (left / freedom) * (idleKnown ? nn / apart : 1 / xx)
  return { ...line, idleKnown, within: Math.hypot(open, studentFor(share, freedom) * Math.sqrt(Math.max(0, variance))) }
}
