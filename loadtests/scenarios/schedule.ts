/** When each request of a load is due. It needs neither k6 nor Node. */

/** A rate that changes over time, and requests that come all at once at its beginning. Rates are requests a second. */
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

/** One of several senders that share a load: each has its own requests, and all of them together are the load. */
export interface Share {
  index: number
  of: number
}

/** Requests under way that one sender follows: enough to share the work of several cores, too few to be slow. */
const perSender = 100
const mostSenders = 200

/** How many senders each of several generators has, for so many requests under way at once in all of them. */
export const sendersFor = (load: Pick<Schedule, 'from' | 'stages' | 'waiting'>, underWay: number, parts: number) =>
  Math.max(1, Math.min(Math.ceil(underWay / parts / perSender), Math.floor(requestsIn(load) / parts), mostSenders))

/** A request of the load: its number in the whole, and the second in which it is due. */
export interface Due {
  number: number
  second: number
}

/**
 * The requests of one sender, in order, one at a time: a load of hours is never in memory. Random arrivals are those of
 * a Poisson process, given how many there are: as many senders at random moments are one load at random moments. The
 * number of requests is what the rates ask for, so one step differs from the next only in their moments.
 */
export function* requestsDue(
  { from, stages, waiting = 0, arrivals, seed }: Schedule,
  { index, of }: Share = { index: 0, of: 1 },
): Generator<Due> {
  let number = index
  for (; number < waiting; number += of) yield { number, second: 0 }
  const parts = partsOf(from, stages)
  const whole = wholeOf(parts)
  const count = Math.max(1, Math.round(whole))
  const own = Math.max(0, Math.ceil((waiting + count - number) / of))
  const shareOf = arrivals === 'even' ? evenly(number - waiting, of, count, seed) : randomly(own, seed + 7919 * index)
  let part = 0
  let before = 0
  for (let sent = 0; sent < own; sent++, number += of) {
    const wanted = shareOf(sent) * whole
    while (part < parts.length - 1 && wanted > before + parts[part]!.requests) before += parts[part++]!.requests
    yield { number, second: momentIn(parts[part]!, wanted - before) }
  }
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
function evenly(first: number, of: number, count: number, seed: number): (sent: number) => number {
  const phase = generator(seed)()
  return (sent) => (first + sent * of + phase) / count
}

/** So many numbers between 0 and 1, all equally likely, from the smallest to the largest. */
function randomly(count: number, seed: number): (sent: number) => number {
  const random = generator(seed)
  let last = 0
  // The smallest of the numbers that are left, between the last one and 1.
  return (sent) => (last += (1 - last) * (1 - (1 - random()) ** (1 / (count - sent))))
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
