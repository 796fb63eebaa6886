import type { Moment } from '../model/fault.ts'
import { quantile } from 'simple-statistics'
import type { Traced } from '../load/k6.ts'
import { firstOf, lastOf } from './oracle.ts'

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
