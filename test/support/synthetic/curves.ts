import { random } from '../random.ts'
import type { Clock } from './clock.ts'
import { steady, type Pace } from './pace.ts'
import type { Server } from './servers.ts'

/**
 * Servers with a known capacity for requests that come evenly, so that a test of the search needs no statistics.
 * `request` takes the moment at which a request arrives (milliseconds). It returns how long the request waits for its
 * answer, and for the end of the work behind it.
 */
interface Curve {
  request(at: number): { answered: number; ended: number }
}

export type Kind = (typeof kinds)[number]
export const kinds = ['fixed', 'exponential', 'leak', 'cliff'] as const

/** The objective that the capacities are meant for, in milliseconds. */
export const objective = 500

/** A server that meets the objective up to `capacity` requests a second, and not beyond. */
export const serverOf =
  (kind: Kind, capacity: number, seed: number, pace: Pace = steady) =>
  (clock: Clock): Server => {
    const curve = curveOf(kind, capacity, seed, pace)
    let cpu = 0
    return {
      cpu: () => cpu,
      request(answer, end) {
        const now = clock.now()
        const { answered, ended } = curve.request(now)
        clock.at(now + answered, answer)
        clock.at(now + ended, () => ((cpu += 1 / capacity), end('succeeded')))
      },
    }
  }

function curveOf(kind: Kind, capacity: number, seed: number, pace: Pace): Curve {
  const next = random(seed)
  const oneAtATime = () => queueAt(pace)
  switch (kind) {
    case 'fixed': {
      const queue = oneAtATime()
      return { request: (at) => whole(queue(at, 1000 / capacity)) }
    }
    case 'exponential': {
      const queue = oneAtATime()
      const service = deal(meanService(capacity), next)
      return { request: (at) => whole(queue(at, service())) }
    }
    case 'leak': {
      const queue = oneAtATime()
      // Eight clients that wait for nothing but answers make it accept twice what it finishes.
      const answered = Math.min(480, 4000 / capacity)
      return { request: (at) => ({ answered, ended: queue(at, 1000 / capacity) }) }
    }
    case 'cliff':
      return cliff(capacity, oneAtATime())
  }
}

const whole = (taken: number) => ({ answered: taken, ended: taken })

type Queue = (at: number, service: number) => number

/** Requests wait for each other; returns how long one takes, the wait included. */
function queueAt(pace: Pace): Queue {
  let free = 0
  return (at, service) => {
    const begun = Math.max(free, at)
    free = begun + service / pace(begun)
    return free - at
  }
}

/** Each of twenty in a row stands for a twentieth of the exponential distribution, so a short step sees all of it. */
function deal(mean: number, next: () => number): () => number {
  const deck = Array.from({ length: 20 }, (_, card) => -Math.log(1 - (card + 0.5) / 20))
  const scale = (mean * deck.length) / deck.reduce((sum, card) => sum + card, 0)
  const left: number[] = []
  return () => {
    if (left.length === 0) left.push(...deck)
    return scale * left.splice(Math.floor(next() * left.length), 1)[0]!
  }
}

/**
 * The mean service time with which 95 % of many requests, arriving evenly at the capacity, stay within the objective.
 */
function meanService(capacity: number): number {
  let [within, beyond] = [0, 1000 / capacity]
  for (let halving = 0; halving < 20; halving++) {
    const mean = (within + beyond) / 2
    if (lateShare(capacity, mean) > 0.05) beyond = mean
    else within = mean
  }
  return within
}

function lateShare(rate: number, mean: number): number {
  const [queue, service] = [queueAt(steady), deal(mean, random(1))]
  const many = 20_000
  let late = 0
  for (let request = 0; request < many; request++) if (queue((request / rate) * 1000, service()) > objective) late++
  return late / many
}

/**
 * A pool that collapses when its queue is full: from answers at once to answers after seconds, with nothing between.
 */
function cliff(capacity: number, queue: Queue): Curve {
  const room = Math.max(100, 9000 / capacity)
  let collapsedUntil = 0
  return {
    request(at) {
      const waited = queue(at, 1000 / capacity)
      if (waited > room) collapsedUntil = at + 1000
      return whole(at < collapsedUntil ? 3000 : waited)
    },
  }
}
