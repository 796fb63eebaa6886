import type { OutsideRule } from '../model/outside.ts'

/** How the calls of workflows to other services are answered. */
export interface OutsideOrder {
  rules: OutsideRule[]
  /** `host:port` that may be reached. */
  allow: string[]
  /** A file for the answers of the real services; null if they are not called. */
  record: string | null
}
