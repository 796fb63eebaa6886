import type { ProcessFault } from '../model/fault.ts'
import type { OutsideCount } from '../model/outside.ts'
import type { Limit } from '../model/result.ts'

/** An n8n that runs, as its target shows it. */
export interface Running {
  /** The base URL of its webhooks. */
  url: string
  /** The base URL of forms and MCP, if another process answers them. */
  mainUrl?: string
  processes: RunningProcess[]
  /** n8n's own settings, with addresses at which the lab reaches its database and its queue; null where it cannot. */
  settings: Record<string, string> | null
  /** `host:port` of the stores that the target itself has started, as the settings lead to them. */
  stores: string[]
  /**
   * Waits until everything answers again, such as after a restart. Returns how many executions its own requests began.
   */
  ready(signal: AbortSignal): Promise<number>
  /**
   * Asks the webhook of a workflow once more; returns its answer where that is no success. Absent where the lab cannot
   * give this n8n other nodes either.
   */
  ask?: (workflow: { id: string }, signal: AbortSignal) => Promise<{ status: number; text: string } | null>
  /** The calls to the outside so far, where a mock answers them. */
  outside?: () => Promise<OutsideCount | null>
  /** Injects a fault into the plan; returns a function that recovers from it. Absent where the lab cannot. */
  inject?: (what: ProcessFault) => Promise<() => Promise<void>>
  /** Upgrades n8n to another image tag, and returns once every role runs it. Absent where the lab cannot. */
  upgrade?: (tag: string) => Promise<void>
  down(): Promise<void>
}

export interface RunningProcess {
  /** The container's name in the run: `main-0`. */
  name: string
  limits: Limit
  /** It receives requests of callers, alone or with its replicas. */
  serves: boolean
  /** What it had counted before the first look does not belong to the run. */
  ranBefore?: true
  /** What the system reports about it now. */
  usage(): Promise<Usage>
  /**
   * Its own /metrics; null when it does not answer in time, empty when it answers that it serves none. Absent if it is
   * known to serve none.
   */
  metrics?: (timeout: number) => Promise<string | null>
  /** Whether it reports itself ready. Absent if it does not say. */
  isReady?: () => Promise<boolean>
  /**
   * Begins to profile it; returns a function that ends that and returns the profile. Absent if it was started without
   * that.
   */
  profile?: () => Promise<() => Promise<ProcessProfile>>
  /** Bytes in its heap after a full garbage collection. Absent as above. */
  keptHeap?: () => Promise<number>
}

/** Over all processes of a container. Missing figures are null, never 0. */
export interface Usage {
  /** Since the container was made. */
  cpuSeconds: number | null
  /** Resident bytes. */
  rss: number | null
  /** How many processes. */
  pids: number
  /** Periods of its CPU limit, and those of them in which it was stopped. Absent where the system does not say. */
  throttling?: Throttling | null
  /** Seconds of the thread that Node runs its event loop on. Absent where the system does not say. */
  loop?: { ran: number; waited: number } | null
}

export interface Throttling {
  periods: number
  stopped: number
}

/** What one process did while the lab watched it, from the system and V8. Seconds. */
export interface ProcessProfile {
  elapsed: number
  /** CPU time of its container, as the system counted it. */
  counted: number
  cpu: CpuProfile
}

/** The part that the lab reads of V8's format, which DevTools opens. */
export interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame }[]
  /** Ids of nodes, one for each look. */
  samples: number[]
}

export interface CallFrame {
  functionName: string
  url: string
  lineNumber: number
}
