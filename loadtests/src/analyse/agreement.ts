import { ended, type Counts } from './accounting.ts'

/**
 * n8n's metrics, its database and its queue are asked apart from each other, so that they prove each other.
 * Returns a sentence for each difference.
 */
export function disagreements(before: Counts, after: Counts): string[] {
  if (!before.books || !after.books) return []
  const gained = (key: 'begun' | 'finished') => after.books![key] - before.books![key]
  const failed = after.books.failed.length - before.books.failed.length
  const metrics = ended(before, after)
  return [
    ...difference('finished', gained('finished'), metrics.finished, 'its metrics'),
    ...difference('failed', failed, metrics.failed, 'its metrics'),
    ...(before.queue && after.queue ? difference('begun', gained('begun'), after.queue.added - before.queue.added, 'its queue') : []),
  ]
}

function difference(what: string, one: number, other: number, where: string): string[] {
  return one === other ? [] : [`Of the executions ${what}, n8n’s database says ${one}, ${where} ${other}.`]
}
