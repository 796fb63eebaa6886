import type { Cpu } from '../workload/outside/server/meter.ts'
import type { Call } from '../workload/outside/tally.ts'
import type { OutsideRule } from '../model/profile/outside.ts'

/** How the calls of workflows to other services are answered. */
export interface OutsideOrder {
  rules: OutsideRule[]
  /** `host:port` that may be reached. */
  allow: string[]
  /** A file for the answers of the real services; null if they are not called. */
  record: string | null
}

/** The calls, and what they cost. */
export interface OutsideCount {
  calls: Call[]
  /** The CPU time of the stand-in itself. */
  cpu: Cpu
  /** Packets to other machines that the network rejected; null if n8n uses the machine's network. */
  turnedAway: number | null
  /** Connections past the stand-in, seen in the machine's network, as `address:port`. */
  left: string[]
}
