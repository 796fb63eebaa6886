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
}

export interface Executions {
  started: number
  succeeded: number
  failed: number
}
