/** One look at one container, about once a second. Missing figures are null, never 0. */
export interface Sample {
  at: number
  /** `main-0`, `worker-1`, … */
  process: string
  /** Cores in use since the previous sample. */
  cpu: number | null
  /** Resident memory of all processes in the container, bytes. */
  rss: number | null
  /** Number of processes in the container. */
  pids: number
  heapUsed: number | null
  heapTotal: number | null
  external: number | null
  /** Event-loop lag, milliseconds (99th percentile as the process reports it). */
  lag: number | null
  /** Executions since the first start of the process, over its restarts. */
  executions: Executions | null
  /** The share of its CPU periods in which its limit stopped it. Absent where the system does not say. */
  throttled?: number
  /** The shares of the time that its first thread, of Node's event loop, ran and waited for a core. As above. */
  loop?: { ran: number; waited: number }
  /** Its connections to the database, by its own count. Absent where it does not say. */
  pool?: Pool
  /** Its open files, pipes and connections, by its own count. As above. */
  files?: number
}

export interface Pool {
  active: number
  /** Requests that wait for a connection. */
  waiting: number
  max: number
}

export interface Executions {
  started: number
  succeeded: number
  failed: number
}
