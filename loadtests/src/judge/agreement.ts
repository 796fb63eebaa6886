import { sum } from 'simple-statistics'
import type { Tally } from '../n8n/executions.ts'
import { ended, endsOf, gained, isUncounted, type Counts } from './accounting.ts'

/**
 * The lab asks n8n's metrics, its database and its queue separately, so that each confirms the others. Returns a
 * sentence for each difference. The metrics count sub-workflows and the calls of others too, so they may count more.
 */
export function disagreements(before: Counts, after: Counts, tally: Tally | null, alone: boolean): string[] {
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
    ...(isUncounted(after) ? [UNCOUNTED] : []),
    ...compared.flatMap((end) => difference(end, ends[end], metrics[end], 'its metrics')),
    ...(queued === null || (!alone && begun > queued) ? [] : difference('begun', begun, queued, 'its queue')),
  ]
}

const UNCOUNTED =
  'The metrics of this n8n count no executions of workers. The lab asks its database and its queue for the outcome, '
  + 'and sees no backlog that grows.'

function difference(what: string, one: number, other: number, where: string): string[] {
  return one === other ? [] : [`n8n’s database counts ${one} executions ${what}, ${where} ${other}.`]
}
