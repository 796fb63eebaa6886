import { sum } from 'simple-statistics'
import type { FoundWarning } from '../model/warning.ts'
import type { Tally } from '../n8n/executions.ts'
import { ended, endsOf, gained, isUncounted, type Counts } from './accounting.ts'

/** What the database counts, and the metrics, or of those that begun the queue. */
export type Disagreement = Extract<FoundWarning, { code: 'counts-differ' | 'workers-uncounted' }>

/**
 * The lab asks n8n's metrics, its database and its queue separately, so that each confirms the others. Returns
 * each difference. The metrics count sub-workflows and the calls of others too, so they may count more.
 */
export function disagreements(before: Counts, after: Counts, tally: Tally | null, alone: boolean): Disagreement[] {
  if (!tally) return []
  const ends = endsOf(tally)
  const begun = sum(Object.values(ends)) + tally.gone + tally.others
  const metrics = ended(before, after)
  // How those ended that n8n did not keep, only the metrics can say.
  const compared =
    isUncounted(after) || ends.unknown > 0 || tally.gone > 0 || tally.others > 0 || !alone
      ? []
      : (['finished', 'failed'] as const)
  const queued = before.queue && after.queue && gained(before.queue.added, after.queue.added)
  return [
    ...(isUncounted(after) ? [{ code: 'workers-uncounted' as const }] : []),
    ...compared.flatMap((end) => difference(end, ends[end], metrics[end])),
    ...(queued === null || (!alone && begun > queued) ? [] : difference('begun', begun, queued)),
  ]
}

const difference = (of: 'finished' | 'failed' | 'begun', database: number, other: number): Disagreement[] =>
  database === other ? [] : [{ code: 'counts-differ', of, database, other }]
