import type { OutsideRule } from '../model/outside.ts'
import type { Mock } from '../workload/outside/server/mock.ts'

/** How the calls of workflows to other services are answered. */
export interface OutsideOrder {
  rules: OutsideRule[]
  /** `host:port` that may be reached. */
  allow: string[]
  /** A file for the answers of the real services; null if they are not called. */
  record: string | null
  /** What the workflows read of answers; absent where a call without a rule is refused. */
  hints?: Mock['hints']
}
