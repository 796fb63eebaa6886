/** Time, real or virtual, in milliseconds: what a made server needs of it. */
export interface Clock {
  now(): number
  at(moment: number, then: () => void): void
}

export const realClock: Clock = {
  now: () => performance.now(),
  at: (moment, then) => void setTimeout(then, moment - performance.now()),
}

export interface VirtualClock extends Clock {
  /** Runs what is due until this moment, and stands there. */
  until(moment: number): void
  /** Runs until nothing is due any more, or until it is told to stop. */
  drain(stopped?: () => boolean): void
}

/** What is due at the same moment comes in the order in which it was asked for. */
export function virtualClock(): VirtualClock {
  const heap: Due[] = []
  let now = 0
  let asked = 0
  const push = (due: Due) => {
    let at = heap.length
    for (let up = (at - 1) >> 1; at > 0 && isBefore(due, heap[up]!); at = up, up = (at - 1) >> 1) heap[at] = heap[up]!
    heap[at] = due
  }
  const next = () => {
    const first = heap[0]!
    const last = heap.pop()!
    if (heap.length) {
      let at = 0
      for (let below = 1; below < heap.length; below = 2 * at + 1) {
        if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below++
        if (!isBefore(heap[below]!, last)) break
        heap[at] = heap[below]!
        at = below
      }
      heap[at] = last
    }
    now = first.moment
    first.then()
  }
  return {
    now: () => now,
    at: (moment, then) => push({ moment: Math.max(now, moment), order: asked++, then }),
    until(moment) {
      while (heap.length && heap[0]!.moment <= moment) next()
      now = Math.max(now, moment)
    },
    drain(stopped = () => false) {
      while (heap.length && !stopped()) next()
    },
  }
}

interface Due {
  moment: number
  order: number
  then: () => void
}

const isBefore = (one: Due, other: Due) =>
  one.moment < other.moment || (one.moment === other.moment && one.order < other.order)
