import { ended, gained, type Counts } from './accounting.ts'

/**
 * The lab asks n8n's metrics, its database and its queue separately, so that each confirms the others. Returns a
 * sentence for each difference.
 */
export function disagreements(before: Counts, after: Counts): string[] {
  const [earlier, later] = [before.database, after.database]
  if (!earlier || !later) return []
  const failed = later.failed.length - earlier.failed.length
  const metrics = ended(before, after)
  return [
    ...difference('finished', gained(earlier.finished, later.finished), metrics.finished, 'its metrics'),
    ...difference('failed', failed, metrics.failed, 'its metrics'),
    ...(before.queue && after.queue
      ? difference('begun', gained(earlier.begun, later.begun), after.queue.added - before.queue.added, 'its queue')
      : []),
  ]
}

function difference(what: string, one: number, other: number, where: string): string[] {
  return one === other ? [] : [`n8n’s database counts ${one} executions ${what}, ${where} ${other}.`]
}
