import { random } from '../random.ts'
import type { Clock } from './clock.ts'
import { steady, type Pace } from './pace.ts'

/** Servers that are made, so that what they sustain for random callers can be computed (truth.ts). */

export interface Server {
  /** A request comes now: `answered` and `ended` are called when it is answered, and when its execution has ended. */
  request(answered: () => void, ended: (how: 'succeeded' | 'lost') => void): void
  /** CPU seconds so far. */
  cpu(): number
  /** How often it has died, with all that was under way. */
  deaths?(): number
}

export type MakeServer = (clock: Clock, seed: number, pace?: Pace) => Server

/** How long one request takes when it is alone, in milliseconds: always as long, or exponentially distributed. */
export interface Service {
  mean: number
  spread: 'fixed' | 'exponential'
}

export type Made =
  /** So many requests at a time, the others wait in one queue. */
  | { kind: 'queue'; workers: number; service: Service }
  /** All at a time, and each is so much slower: what a Node process does with its CPU. */
  | { kind: 'sharing'; service: Service }
  /** One queue whose server stands still for `lasts` milliseconds in every `every`. */
  | { kind: 'stall'; service: Service; every: number; lasts: number }
  /** Answers at once, and works behind that. */
  | { kind: 'leak'; service: Service }
  /** A leak that loses what comes while so many wait. */
  | { kind: 'losing'; service: Service; room: number }

export const made =
  (of: Made): MakeServer =>
  (clock, seed, pace = steady) => {
    const next = random(seed)
    const service = serviceOf(of.service, next)
    if (of.kind === 'sharing') return sharing(clock, service, pace)
    const finishes = queue(
      of.kind === 'queue' ? of.workers : 1,
      of.kind === 'stall' ? stalling(of, next, pace) : moving(pace),
    )
    const atOnce = of.kind === 'leak' || of.kind === 'losing'
    let waiting = 0
    let cpu = 0
    return {
      cpu: () => cpu,
      request(answered, ended) {
        const now = clock.now()
        // Eight clients that wait for nothing but answers make it accept twice what it finishes.
        if (atOnce) clock.at(now + Math.min(480, 4 * of.service.mean), answered)
        if (of.kind === 'losing' && waiting >= of.room) return ended('lost')
        waiting++
        const own = service()
        clock.at(finishes(now, own), () => {
          waiting--
          cpu += own / 1000
          if (!atOnce) answered()
          ended('succeeded')
        })
      },
    }
  }

const serviceOf = ({ mean, spread }: Service, next: () => number) =>
  spread === 'fixed' ? () => mean : () => -mean * Math.log(1 - next())

/** When work of so many milliseconds that begins at a moment is done. */
type Work = (begun: number, service: number) => number

const moving =
  (pace: Pace): Work =>
  (begun, service) =>
    begun + service / pace(begun)

/** The first stall comes at a moment that chance decides. */
function stalling({ every, lasts }: { every: number; lasts: number }, next: () => number, pace: Pace): Work {
  const phase = next() * every
  return (begun, service) => {
    let [at, left] = [begun, service / pace(begun)]
    for (let stall = phase + Math.floor((begun - phase) / every) * every; ; stall += every) {
      at = Math.max(at, stall + lasts)
      if (at + left <= stall + every) return at + left
      left -= Math.max(0, stall + every - at)
      at = Math.max(at, stall + every)
    }
  }
}

/** Requests that wait for the first of several workers to be free; returns when each is done. */
function queue(workers: number, work: Work): (at: number, service: number) => number {
  const free = new Array<number>(workers).fill(0)
  return (at, service) => {
    let first = 0
    for (let one = 1; one < workers; one++) if (free[one]! < free[first]!) first = one
    return (free[first] = work(Math.max(at, free[first]!), service))
  }
}

/**
 * Each of n requests gets an nth. In its own time, which passes the slower the more there are, each takes its
 * service.
 */
function sharing(clock: Clock, service: () => number, pace: Pace): Server {
  const left: { done: number; then: () => void }[] = []
  let [own, seen, planned, cpu] = [0, 0, 0, 0]
  const pass = () => {
    const now = clock.now()
    if (left.length) own += ((now - seen) * pace(now)) / left.length
    seen = now
  }
  const plan = () => {
    const nth = ++planned
    if (left.length === 0) return
    const now = clock.now()
    clock.at(now + (Math.max(0, left[0]!.done - own) * left.length) / pace(now), () => {
      // Another request came in between, and with it another plan.
      if (nth !== planned) return
      pass()
      left.shift()!.then()
      plan()
    })
  }
  return {
    cpu: () => cpu,
    request(answered, ended) {
      pass()
      const each = service()
      const done = own + each
      let at = left.length
      while (at > 0 && left[at - 1]!.done > done) at--
      left.splice(at, 0, { done, then: () => ((cpu += each / 1000), answered(), ended('succeeded')) })
      plan()
    },
  }
}
