/** One rate that was tried. */
export interface Trial {
  rate: number
  holds: boolean
  /** Broke by late answers alone: a pause of n8n makes too many in a step that is short. */
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

/** The first stride from a guess, up or down: one halving of it is within the usual precision. */
const first = 1.15

/**
 * The next rate to try, or null when the answer is known. From the guess it moves by growing strides until
 * one rate held and a higher one broke, then halves the gap; what broke for no lasting reason is driven again
 * before it is the answer. Pure: the whole state is what was tried.
 */
export function nextRate(tried: Trial[], { start, min, max, precision }: SearchOptions): number | null {
  // The bounds themselves are not rounded: a bound that is never quite reached would be asked for without end.
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
 * Once is no proof where it broke by late answers alone, or before anything held: n8n may have paused, or not been
 * warm.
 */
function doubtful(tried: Trial[], broke: number): boolean {
  const first = tried.findIndex(({ rate }) => rate === broke)
  const again = tried.findLastIndex(({ rate }) => rate === broke) > first
  return !again && (tried[first]!.late === true || first < tried.findIndex(({ holds }) => holds))
}

/** Where a rate was driven again, from which the search may go up anew; else where it began. */
const reopened = (tried: Trial[]) =>
  Math.max(
    0,
    tried.findLastIndex(({ rate }, at) => tried.findIndex((other) => other.rate === rate) < at),
  )

/** Noise can break a rate below one that held; the higher one is the proof. */
export function bracket(tried: Trial[]): { held: number | null; broke: number | null } {
  const held = highest(tried.filter(({ holds }) => holds))
  const above = tried.filter(({ rate, holds }) => !holds && rate > (held ?? 0)).map(({ rate }) => rate)
  return { held, broke: above.length ? Math.min(...above) : null }
}

const highest = (trials: Trial[]) => (trials.length ? Math.max(...trials.map(({ rate }) => rate)) : null)

/** 1, 2, 3 … for every rate in a row that went the same way: a guess far off is left behind quickly. */
function stride(tried: Trial[], holds: boolean): number {
  return tried.length - 1 - tried.findLastIndex((trial) => trial.holds !== holds)
}

/** Three figures are more than a load test can tell apart. */
const tidy = (rate: number) => Number(rate.toPrecision(3))
