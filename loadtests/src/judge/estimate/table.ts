import { least, logShares } from './capacities.ts'
import type { Discipline, Pauses } from './queue.ts'

/** The rate at which a queue just meets an objective, by a table that `tools/capacity-table.ts` makes by simulation. */

/** How much the work of requests differs: standard deviation ÷ mean. */
export const unevens = [0, 0.35, 0.6, 0.85, 1.15, 1.6]
/** Seconds; first none. Garbage collection of n8n looks like these. */
export const pauses: Pauses[] = [
  { every: 1, lasts: 0 },
  { every: 15, lasts: 0.25 },
  { every: 15, lasts: 0.5 },
  { every: 10, lasts: 0.65 },
  { every: 20, lasts: 1 },
]
export const disciplines: Discipline[] = ['fifo', 'sharing']
/** The shares of requests that may be late: p95, p99, p99.9. */
export const allowances = [0.05, 0.01, 0.001]
export const serverCounts = [1, 2, 4, 8, 16]

/** Without pauses: what one request of average work takes by itself, as a share of what is left of the objective. */
export const parts = [0.002, 0.005, 0.012, 0.03, 0.06, 0.1, 0.15, 0.2, 0.27, 0.35, 0.45, 0.6, 0.8, 1.1]
/** With pauses both matter, in seconds: what one request takes by itself, and what is left of the objective. */
export const eaches = [0.004, 0.008, 0.015, 0.025, 0.04, 0.06, 0.085, 0.12, 0.17, 0.25, 0.4, 0.7]
export const lefts = [0.06, 0.1, 0.15, 0.22, 0.32, 0.45, 0.6, 0.8, 1.1, 1.6, 3, 6]

/** A queue of the table, by places in the lists above. */
export interface QueueKind {
  discipline: number
  servers: number
  pauses: number
  uneven: number
}

/** The queues of the table in its order; each has a row for each share that may be late. */
export function* queueKinds(): Generator<QueueKind> {
  for (let discipline = 0; discipline < disciplines.length; discipline++)
    for (let uneven = 0; uneven < unevens.length; uneven++) {
      for (let servers = 0; servers < serverCounts.length; servers++) yield { discipline, uneven, servers, pauses: 0 }
      for (let pause = 1; pause < pauses.length; pause++) yield { discipline, uneven, servers: 0, pauses: pause }
    }
}

const still = parts.length
const moving = eaches.length * lefts.length
/** The entries of one discipline and unevenness. */
const block = allowances.length * (serverCounts.length * still + (pauses.length - 1) * moving)

/** Where the row of a queue begins. */
function rowOf({ discipline, uneven, servers, pauses: pause }: QueueKind, allowed: number): number {
  const nth = allowances.indexOf(allowed)
  const before = (discipline * unevens.length + uneven) * block
  if (pause === 0) return before + (servers * allowances.length + nth) * still
  return before + allowances.length * serverCounts.length * still + ((pause - 1) * allowances.length + nth) * moving
}

/** The logarithm of the rate; `each` and `left` are seconds. */
export function logCapacity(kind: QueueKind, each: number, left: number, allowed: number): number {
  const full = fullRate(kind, each)
  const row = rowOf(kind, allowed)
  const rest = Math.max(left, 1e-6)
  if (kind.pauses === 0) {
    const [part, after] = placeIn(parts, each / rest)
    return Math.log(full) + between(table[row + part]!, table[row + part + 1]!, after)
  }
  const [near, beyond] = placeIn(lefts, rest)
  const [place, after] = placeIn(eaches, each)
  const at = (left: number) => {
    const from = row + left * eaches.length + place
    return between(table[from]!, table[from + 1]!, after)
  }
  return Math.log(full) + between(at(near), at(near + 1), beyond)
}

/** What it finishes when it is never idle. */
export const fullRate = ({ servers, pauses: pause }: Pick<QueueKind, 'servers' | 'pauses'>, each: number): number =>
  (serverCounts[servers]! * (1 - pauses[pause]!.lasts / pauses[pause]!.every)) / each

const between = (one: number, other: number, share: number) => one + share * (other - one)

/** The place before a value, and how far it is from there to the next, in logarithms. */
function placeIn(list: number[], value: number): [place: number, share: number] {
  const last = list.length - 1
  if (value <= list[0]!) return [0, 0]
  if (value >= list[last]!) return [last - 1, 1]
  let place = 0
  while (list[place + 1]! < value) place++
  return [place, Math.log(value / list[place]!) / Math.log(list[place + 1]! / list[place]!)]
}

/** Two characters an entry: the logarithm of the share of its full throughput that a queue may have. */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const levels = digits.length ** 2 - 1

export function encodeShares(shares: number[], least: number): string {
  return shares
    .map((share) => {
      const level = Math.round((Math.log(share / least) / Math.log(1 / least)) * levels)
      const within = Math.max(0, Math.min(levels, level))
      return digits[Math.floor(within / digits.length)]! + digits[within % digits.length]!
    })
    .join('')
}

const table = Float64Array.from({ length: logShares.length / 2 }, (_, nth) => {
  const level = digits.indexOf(logShares[2 * nth]!) * digits.length + digits.indexOf(logShares[2 * nth + 1]!)
  return Math.log(least) * (1 - level / levels)
})
