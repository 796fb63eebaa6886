import { quantile } from 'simple-statistics'
import { firstOf, lastOf, type Traced } from './oracle.ts'

/** One second of a load with a fault in it: the outcome of the requests that began in it. */
export interface Moment {
  /** Epoch milliseconds. */
  at: number
  accepted: number
  refused: number
  unanswered: number
  /** Milliseconds, of accepted requests; null where none was accepted. */
  p95: number | null
}

export function looksAt(requests: Traced[]): Moment[] {
  if (requests.length === 0) return []
  const first = firstOf(requests)
  const bySecond = Map.groupBy(requests, ({ began }) => Math.floor((began - first) / 1000))
  const count = (some: Traced[], which: Traced['outcome']) => some.filter(({ outcome }) => outcome === which).length
  const seconds = Math.floor((lastOf(requests) - first) / 1000) + 1
  return Array.from({ length: seconds }, (_, second) => {
    const some = bySecond.get(second) ?? []
    const taken = some.filter(({ outcome }) => outcome === 'accepted').map((request) => request.taken)
    return {
      at: first + 1000 * second,
      accepted: count(some, 'accepted'),
      refused: count(some, 'refused'),
      unanswered: count(some, 'unanswered'),
      p95: taken.length ? quantile(taken, 0.95) : null,
    }
  })
}
