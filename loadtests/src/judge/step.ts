import type { LoadResult } from '../model/load-result.ts'
import type { Times } from '../n8n/database/rows.ts'
import type { DeathCode } from '../model/deaths.ts'

/** The result of one step of load, for the summary. */

export interface Step {
  repeat: number
  /** A warm-up step informs the search and is never a result. */
  purpose: 'warm-up' | 'measure'
  load: LoadResult
  accounting: Accounting
  /**
   * Executions that each of several workflows finished, by n8n's database, in the load's order; absent where the
   * database does not say.
   */
  parts?: { workflow: string; finished: number }[]
  /** How long its executions waited and ran, by n8n's database; null where it does not say. */
  times: Times | null
  /** Of a step that lasts for minutes; absent where the lab cannot look into the processes. */
  keptHeaps?: KeptHeap[]
  /** Requests that each process answered, by its own count; only processes that receive requests. */
  spread: Record<string, number>
  holds: boolean
  reasons: Reason[]
  /** For each objective: how many answers were late. Absent where their distribution is unknown. */
  lateness?: Lateness[]
}

/** Bytes in the heap of a process after a full garbage collection, before the load and after it. */
export interface KeptHeap {
  process: string
  before: number
  after: number
}

/** The outcome of the requests that n8n accepted; null where n8n was not asked. */
export interface Accounting {
  accepted: number
  finished: number | null
  failed: number | null
  /** Still under way when the wait for them ended. */
  waiting: number | null
  /** Will never finish: their process died, or n8n never began them. */
  lost: number | null
  /** Ids of lost executions, as far as n8n's database names them. */
  lostExecutions: string[]
  /** Growth of executions under way during the step, as a share of those accepted. */
  backlogGrowth: number | null
}

export interface Verdict {
  holds: boolean
  reasons: Reason[]
  lateness?: Lateness[]
}

/** Requests answered later than an objective, or not at all, among those that count for it. */
export interface Lateness {
  /** One of several that were called at once; absent for all requests together. */
  workflow?: string
  objective: 'p95' | 'p99' | 'p99.9'
  /** The share of answers that may be late. */
  allowed: number
  late: number
  of: number
}

export interface Reason {
  code: ReasonCode
  /** The sentence, with its figures. */
  text: string
  /** What to change. */
  advice: string
  /** What was in the way, of reasons that may have several. Absent in runs of earlier versions. */
  bottleneck?: Bottleneck
}

/** What ran out first while the load was on. */
export interface Bottleneck {
  code: BottleneckCode
  /** Whose it is; null of what several share. */
  process: string | null
  /** A short sentence: `The heap of main-0 was full.` Empty where it is unknown. */
  what: string
  /** What shows it, what to change, and what comes after it. */
  advice: string
}

export type BottleneckCode =
  | 'cpu-limit'
  | 'event-loop'
  | 'cores'
  | 'heap'
  | 'redis'
  | 'database-disk'
  | 'database-pool'
  | 'concurrency'
  | 'unknown'

export type ReasonCode =
  | 'stopped-by-errors'
  | 'errors'
  | 'latency'
  | 'backlog'
  | 'executions-failed'
  | 'executions-lost'
  | DeathCode
  | 'generator-behind'
  | 'too-short'
  | 'too-few'
  | 'never-ready'
  | 'nothing-held'
