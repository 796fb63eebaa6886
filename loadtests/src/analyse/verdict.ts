import type { Slo } from '../profile/experiment.ts'
import type { LoadResult } from '../load/result.ts'
import type { TargetEvent } from '../target/target.ts'
import { reasons } from './reasons.ts'
import type { Accounting, Reason, Verdict } from './summary.ts'

export interface Evidence {
  load: LoadResult
  accounting: Accounting
  /** Processes that ended during the step. */
  exits: TargetEvent[]
  /** A process's memory limit, as a reader writes it. */
  limitOf(process: string): string
}

/** Beyond this share of its own cores the generator's queueing shows in the latencies. */
const generatorCeiling = 0.9

/** Does the step meet the objective? Every reason against it is given, not just the first. */
export function judge({ load, accounting, exits, limitOf }: Evidence, slo: Slo): Verdict {
  const found = [
    ...exits.map(({ process, exit }) => reasons.exit(process, exit!, limitOf(process))),
    ...requestReasons(load, slo),
    ...executionReasons(accounting, slo),
  ]
  return { holds: found.length === 0, reasons: found }
}

function requestReasons(load: LoadResult, slo: Slo): Reason[] {
  const found: Reason[] = []
  const failed = Object.values(load.failures).reduce((sum, count) => sum + count, 0)
  const share = load.requests ? failed / load.requests : 0
  if (share > slo.errors) found.push(reasons.errors(load, share, slo.errors))
  const p95 = load.latency?.p95 ?? 0
  const slow = p95 > slo.p95
  if (generatorAtFault(load, slow || share > slo.errors)) found.push(reasons.generatorBehind(load))
  else if (slow) found.push(reasons.latency(p95, slo.p95))
  return found
}

/**
 * Requests are skipped when all clients are waiting for n8n. They suffice for answers several times slower
 * than the objective: with answers in time, it was the generator that fell behind. And a generator
 * without CPU to spare makes answers slow all by itself.
 */
function generatorAtFault(load: LoadResult, missed: boolean): boolean {
  if (load.generatorCpu !== null && load.generatorCpu > generatorCeiling && missed) return true
  return load.dropped > 0 && !missed
}

function executionReasons({ accepted, failed, lost, waiting, backlogGrowth }: Accounting, slo: Slo): Reason[] {
  const found: Reason[] = []
  if (failed > slo.errors * accepted) found.push(reasons.executionsFailed(failed, accepted))
  if (backlogGrowth !== null && backlogGrowth > slo.backlog) found.push(reasons.backlog(backlogGrowth, slo.backlog))
  else if (waiting > slo.backlog * accepted) found.push(reasons.backlog(waiting / accepted, slo.backlog))
  if (lost > 0) found.push(reasons.executionsLost(lost, accepted))
  return found
}
