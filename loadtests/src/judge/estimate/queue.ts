/** A queue on a computer: how long requests take that come at given moments. Seconds. */

/** One request at a time in the order of their arrival, or all at a time and each so much slower. */
export type Discipline = 'fifo' | 'sharing'

/** Every so many seconds the server stands still for some of them. */
export interface Pauses {
  every: number
  lasts: number
}

export interface TwinQueue {
  discipline: Discipline
  /** How many requests can be worked on at full speed. */
  servers: number
  pauses: Pauses
  /** When in its period the first pause comes, as a share of it. */
  phase: number
}

/** The server's own clock, which stands still in pauses, and back. */
function clockOf({ pauses: { every, lasts }, phase }: TwinQueue) {
  const off = phase * every
  const moves = every - lasts
  return {
    own(at: number): number {
      const periods = Math.floor((at + off) / every)
      return periods * moves + Math.max(0, at + off - periods * every - lasts)
    },
    real(own: number): number {
      const periods = Math.floor(own / moves)
      return periods * every + lasts + (own - periods * moves) - off
    },
  }
}

/** How long each request takes, into `took`. `each` is what one of average work takes by itself. */
export function serve(
  queue: TwinQueue,
  arrivals: Float64Array,
  work: Float64Array,
  each: number,
  took: Float64Array,
): void {
  const clock = queue.pauses.lasts > 0 ? clockOf(queue) : null
  if (queue.discipline === 'sharing') share(queue.servers, clock, arrivals, work, each, took)
  else if (queue.servers === 1) inTurn(clock, arrivals, work, each, took)
  else byTheFirstFree(queue.servers, clock, arrivals, work, each, took)
}

type Clock = ReturnType<typeof clockOf> | null

function inTurn(clock: Clock, arrivals: Float64Array, work: Float64Array, each: number, took: Float64Array): void {
  let free = -1e9
  if (clock === null) {
    for (let nth = 0; nth < arrivals.length; nth++) {
      const at = arrivals[nth]!
      free = (at > free ? at : free) + work[nth]! * each
      took[nth] = free - at
    }
    return
  }
  for (let nth = 0; nth < arrivals.length; nth++) {
    const at = clock.own(arrivals[nth]!)
    free = (at > free ? at : free) + work[nth]! * each
    took[nth] = clock.real(free) - arrivals[nth]!
  }
}

function byTheFirstFree(
  servers: number,
  clock: Clock,
  arrivals: Float64Array,
  work: Float64Array,
  each: number,
  took: Float64Array,
): void {
  const free = new Float64Array(servers).fill(-1e9)
  for (let nth = 0; nth < arrivals.length; nth++) {
    let first = 0
    for (let one = 1; one < servers; one++) if (free[one]! < free[first]!) first = one
    const at = clock ? clock.own(arrivals[nth]!) : arrivals[nth]!
    const done = Math.max(at, free[first]!) + work[nth]! * each
    free[first] = done
    took[nth] = (clock ? clock.real(done) : done) - arrivals[nth]!
  }
}

/** More requests at a time than this, and the queue is lost anyway. */
const most = 4096
const heap = { due: new Float64Array(most + 1), of: new Int32Array(most + 1), size: 0 }

function push(due: number, of: number): void {
  let at = ++heap.size
  for (let up = at >> 1; up > 0 && heap.due[up]! > due; at = up, up = at >> 1) {
    heap.due[at] = heap.due[up]!
    heap.of[at] = heap.of[up]!
  }
  heap.due[at] = due
  heap.of[at] = of
}

function pop(): number {
  const first = heap.of[1]!
  const [due, of] = [heap.due[heap.size]!, heap.of[heap.size]!]
  heap.size--
  let at = 1
  for (let below = 2; below <= heap.size; below = at * 2) {
    if (below < heap.size && heap.due[below + 1]! < heap.due[below]!) below++
    if (due <= heap.due[below]!) break
    heap.due[at] = heap.due[below]!
    heap.of[at] = heap.of[below]!
    at = below
  }
  heap.due[at] = due
  heap.of[at] = of
  return first
}

/** In a time of their own, which passes the slower the more there are, all requests are worked on at full speed. */
function share(
  servers: number,
  clock: Clock,
  arrivals: Float64Array,
  work: Float64Array,
  each: number,
  took: Float64Array,
): void {
  heap.size = 0
  let now = -1e9
  let shared = 0
  for (let nth = 0; nth < arrivals.length || heap.size > 0;) {
    const comes = nth >= arrivals.length ? Infinity : clock ? clock.own(arrivals[nth]!) : arrivals[nth]!
    const slower = heap.size > servers ? heap.size / servers : 1
    const ends = heap.size ? now + (heap.due[1]! - shared) * slower : Infinity
    if (comes <= ends) {
      if (heap.size) shared += (comes - now) / slower
      now = comes
      if (heap.size < most) push(shared + work[nth]! * each, nth)
      else took[nth] = 60
      nth++
    } else {
      shared = heap.due[1]!
      now = ends
      const done = pop()
      took[done] = (clock ? clock.real(now) : now) - arrivals[done]!
    }
  }
}
