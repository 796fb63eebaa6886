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
  /** n8n ran on its own defaults. */
  untuned: boolean
}

/** Beyond this share of its own cores the generator's queueing shows in the latencies. */
const generatorCeiling = 0.9

/** Does the step meet the objective? Every reason against it is given, not just the first. */
export function judge({ load, accounting, exits, limitOf, untuned }: Evidence, slo: Slo): Verdict {
  const found = [
    ...exits.map(({ process, exit }) => reasons.exit(process, exit!, limitOf(process), untuned)),
    ...requestReasons(load, slo, exits.length > 0),
    ...executionReasons(accounting, slo),
  ]
  return { holds: found.length === 0, reasons: found }
}

function requestReasons(load: LoadResult, slo: Slo, died: boolean): Reason[] {
  const failed = Object.values(load.failures).reduce((sum, count) => sum + count, 0)
  const share = load.requests ? failed / load.requests : 0
  const p95 = load.latency?.p95 ?? 0
  const wrong = share > slo.errors
  const slow = p95 > slo.p95
  const fault = died ? null : generatorFault(load, wrong || slow)
  const latency = slow && !fault ? reasons.latency(p95, slo.p95) : null
  return [wrong ? reasons.errors(load, share, slo.errors) : null, fault, latency].filter((reason) => reason !== null)
}

/**
 * Requests are skipped when all clients are waiting for n8n. They suffice for answers several times slower
 * than the objective: with answers in time, it was the generator that fell behind. And a generator
 * without CPU to spare makes answers slow all by itself, and is the limit of clients that ask as fast as they are
 * answered. A process that died explains them all.
 */
function generatorFault(load: LoadResult, missed: boolean): Reason | null {
  if (load.requests === 0) return reasons.generatorSilent()
  if (load.dropped > 0 && !missed) return reasons.generatorBehind(load.dropped)
  if (load.generatorCpu === null || load.generatorCpu <= generatorCeiling) return null
  if (load.shape === 'closed') return reasons.generatorLimit(load.generatorCpu)
  return missed ? reasons.generatorBusy(load.generatorCpu) : null
}

function executionReasons({ accepted, failed, lost, lostExecutions, waiting, backlogGrowth }: Accounting, slo: Slo): Reason[] {
  const found: Reason[] = []
  if (failed === null || waiting === null || lost === null) return found
  if (failed > slo.errors * accepted) found.push(reasons.executionsFailed(failed, accepted))
  if (backlogGrowth !== null && backlogGrowth > slo.backlog) found.push(reasons.backlog(backlogGrowth, slo.backlog))
  else if (waiting > slo.backlog * accepted) found.push(reasons.backlog(waiting / Math.max(1, accepted), slo.backlog))
  if (lost > 0) found.push(reasons.executionsLost(lost, accepted, lostExecutions))
  return found
}
