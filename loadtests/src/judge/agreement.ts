import { ended, gained, isUncounted, type Counts } from './accounting.ts'

/**
 * The lab asks n8n's metrics, its database and its queue separately, so that each confirms the others. Returns a
 * sentence for each difference. Sub-workflows run where they are called, so the queue does not know of them.
 */
export function disagreements(before: Counts, after: Counts, { nested = false } = {}): string[] {
  const [earlier, later] = [before.database, after.database]
  if (!earlier || !later) return []
  const failed = later.failed.length - earlier.failed.length
  const metrics = ended(before, after)
  const begun = gained(earlier.begun, later.begun)
  const queued = before.queue && after.queue && after.queue.added - before.queue.added
  const byMetrics = isUncounted(after)
    ? [UNCOUNTED]
    : [
        ...difference('finished', gained(earlier.finished, later.finished), metrics.finished, 'its metrics'),
        ...difference('failed', failed, metrics.failed, 'its metrics'),
      ]
  return [
    ...byMetrics,
    ...(queued === null || (nested && begun > queued) ? [] : difference('begun', begun, queued, 'its queue')),
  ]
}

const UNCOUNTED =
  'The metrics of this n8n count no executions of workers. The lab asks its database and its queue for the outcome, '
  + 'and sees no backlog that grows.'

function difference(what: string, one: number, other: number, where: string): string[] {
  return one === other ? [] : [`n8n’s database counts ${one} executions ${what}, ${where} ${other}.`]
}
