/** One rate that was tried. */
export interface Trial {
  rate: number
  holds: boolean
  /** Broke only by late answers: one pause of n8n makes too many of them in a short step. */
  late?: boolean
}

export interface SearchOptions {
  /** The first guess. */
  start: number
  min: number
  max: number
  /** The search ends when the lowest rate that broke is within this share of the highest that held. */
  precision: number
}

/** The first stride from a guess, up or down: halving it once gives the usual precision. */
const first = 1.15

/**
 * The next rate to try, or null when the answer is known. From the guess it moves by growing strides until one rate
 * held and a higher one broke, then halves the gap. A rate that broke for a passing reason is tried again before it
 * counts. Pure: its state is the list of tries.
 */
export function nextRate(tried: Trial[], { start, min, max, precision }: SearchOptions): number | null {
  // The bounds are not rounded: a rounded rate might never reach its bound, and the search would not end.
  const inside = (rate: number) => Math.min(max, Math.max(min, tidy(rate)))
  if (tried.length === 0) return inside(start)
  const { held, broke } = bracket(tried)
  if (held === null) return broke! <= min ? null : inside(broke! / first ** stride(tried, false))
  if (broke === null) return held >= max ? null : inside(held * first ** stride(tried.slice(reopened(tried)), true))
  const middle = tidy(Math.sqrt(held * broke))
  if (broke / held > 1 + precision && middle > held && middle < broke) return middle
  return doubtful(tried, broke) ? broke : null
}

/**
 * One failure is no proof if only answers were late, or if nothing has held yet: n8n may have paused, or was still
 * cold.
 */
function doubtful(tried: Trial[], broke: number): boolean {
  const first = tried.findIndex(({ rate }) => rate === broke)
  const again = tried.findLastIndex(({ rate }) => rate === broke) > first
  return !again && (tried[first]!.late === true || first < tried.findIndex(({ holds }) => holds))
}

/** The rate that was tried again, from which the search may go up once more; otherwise its first rate. */
const reopened = (tried: Trial[]) =>
  Math.max(
    0,
    tried.findLastIndex(({ rate }, at) => tried.findIndex((other) => other.rate === rate) < at),
  )

/** Noise can break a rate below one that held. The higher one is the proof. */
export function bracket(tried: Trial[]): { held: number | null; broke: number | null } {
  const held = highest(tried.filter(({ holds }) => holds))
  const above = tried.filter(({ rate, holds }) => !holds && rate > (held ?? 0)).map(({ rate }) => rate)
  return { held, broke: above.length ? Math.min(...above) : null }
}

const highest = (trials: Trial[]) => (trials.length ? Math.max(...trials.map(({ rate }) => rate)) : null)

/** 1, 2, 3 … for each rate in a row in the same direction, so that the search quickly leaves a wrong guess. */
function stride(tried: Trial[], holds: boolean): number {
  return tried.length - 1 - tried.findLastIndex((trial) => trial.holds !== holds)
}

/** A load test is no more precise than three digits. */
const tidy = (rate: number) => Number(rate.toPrecision(3))
