import type { Samples } from '../model/samples.ts'
import type { RunningProcess } from '../n8n/running.ts'

/** Whether somebody else's n8n begins more executions than it ends while the load is on, by its own figures. */
export interface Backlog {
  /** A load of so many requests a second begins. Returns whether the backlog has grown too far by a moment. */
  under(rate: number): { grows(now: number): boolean; end(): void }
}

/** Executions may be ahead by as many as come in a second, and by a few; and for so many milliseconds by more. */
const allowed = { seconds: 1, few: 3, for: 2000 }

export function watchBacklog(processes: Pick<RunningProcess, 'name'>[], samples: Samples): Backlog {
  /** Seconds for which an execution is under way while the load is low; unknown before that load. */
  let usual: number | null = null
  function underWay(): number | null {
    const each = processes.map(({ name }) => samples.findLast((one) => one.process === name)?.executions)
    return each.reduce<number | null>(
      (sum, one) => (sum === null || !one ? null : sum + one.started - one.succeeded - one.failed),
      0,
    )
  }
  return {
    under(rate) {
      const first = underWay()
      const gained = () => Math.max(0, (underWay() ?? 0) - (first ?? 0))
      let since: number | null = null
      return {
        grows(now) {
          if (first === null || usual === null) return false
          if (gained() <= rate * (usual + allowed.seconds) + allowed.few) since = null
          else since ??= now
          return since !== null && now - since >= allowed.for
        },
        end() {
          if (first !== null) usual ??= gained() / rate
        },
      }
    },
  }
}
