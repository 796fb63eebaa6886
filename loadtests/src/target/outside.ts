import type { Cpu } from '../outside/server/meter.ts'
import type { Call } from '../outside/tally.ts'
import type { OutsideRule } from '../profile/outside.ts'

/** How what workflows ask of others is to be answered. */
export interface OutsideOrder {
  rules: OutsideRule[]
  /** `host:port` that may be reached. */
  allow: string[]
  /** A file for what the real services say; null where they are not asked. */
  record: string | null
}

/** What came of it. */
export interface OutsideCount {
  calls: Call[]
  /** What the stand-in itself took. */
  cpu: Cpu
  /** Packets for elsewhere that the network turned away; null where n8n has the machine's network. */
  turnedAway: number | null
  /** Connections past the stand-in that were seen in the machine's network, as `address:port`. */
  left: string[]
}
