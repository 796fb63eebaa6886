/** When each request of a load is due. It needs neither k6 nor Node. */

/** A rate that changes over time, and requests that come all at once at its beginning. Requests a second, and seconds. */
export interface Schedule {
  from: number
  /** The rate to reach, and in how many seconds; 0 is at once. */
  stages: { rate: number; seconds: number }[]
  waiting?: number
  /** `random`: at moments of their own, as independent callers send them. `even`: like a metronome. */
  arrivals: 'random' | 'even'
  /** The same seed gives the same moments. */
  seed: number
}

/**
 * Seconds after the beginning, in order. Random arrivals are those of a Poisson process, given how many there are. The
 * number of requests is what the rates ask for, so one step differs from the next only in their moments.
 */
export function dueTimes({ from, stages, waiting = 0, arrivals, seed }: Schedule): number[] {
  const parts = partsOf(from, stages)
  const whole = wholeOf(parts)
  const count = Math.max(1, Math.round(whole))
  const shares = arrivals === 'even' ? evenly(count, generator(seed)) : randomly(count, generator(seed))
  const due: number[] = new Array<number>(waiting).fill(0)
  let index = 0
  let before = 0
  for (const share of shares) {
    const wanted = share * whole
    while (index < parts.length - 1 && wanted > before + parts[index]!.requests) before += parts[index++]!.requests
    due.push(momentIn(parts[index]!, wanted - before))
  }
  return due
}

/** How many requests that are. */
export const requestsIn = ({ from, stages, waiting = 0 }: Pick<Schedule, 'from' | 'stages' | 'waiting'>): number =>
  waiting + Math.max(1, Math.round(wholeOf(partsOf(from, stages))))

const wholeOf = (parts: Part[]) => parts.reduce((sum, { requests }) => sum + requests, 0)

interface Part {
  begin: number
  seconds: number
  from: number
  to: number
  requests: number
}

function partsOf(from: number, stages: Schedule['stages']): Part[] {
  const parts: Part[] = []
  let begin = 0
  let rate = from
  for (const { rate: to, seconds } of stages) {
    parts.push({ begin, seconds, from: rate, to, requests: (seconds * (rate + to)) / 2 })
    begin += seconds
    rate = to
  }
  return parts
}

/** When a part whose rate changes evenly has asked for so many requests. */
function momentIn({ begin, seconds, from, to }: Part, requests: number): number {
  const growth = seconds > 0 ? (to - from) / seconds : 0
  const root = Math.sqrt(Math.max(0, from * from + 2 * growth * requests))
  // The usual formula divides by the growth, which may be 0.
  const after = from + root > 0 ? (2 * requests) / (from + root) : 0
  return begin + Math.min(seconds, after)
}

/** One tick of the metronome after the other; the first one comes within the first tick. */
function evenly(count: number, random: () => number): number[] {
  const phase = random()
  return Array.from({ length: count }, (_, index) => (index + phase) / count)
}

/** Ascending numbers between 0 and 1, all equally likely: exponential gaps, divided by their sum. */
function randomly(count: number, random: () => number): number[] {
  const sums: number[] = []
  let sum = 0
  for (let index = 0; index <= count; index++) sums.push((sum += -Math.log(1 - random())))
  sums.pop()
  return sums.map((each) => each / sum)
}

/** mulberry32: numbers from 0 to below 1 that are random enough for arrivals. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
