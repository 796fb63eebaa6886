/** What the load generator saw in one step. Times are epoch milliseconds, latencies milliseconds. */
export interface LoadResult {
  shape: 'closed' | 'constant' | 'course'
  /** The load asked for: requests a second (constant; for a course, the highest) or concurrent clients (closed). */
  rate: number | null
  vus: number | null
  startedAt: number
  endedAt: number
  requests: number
  /** Answers with a 2xx status: what n8n accepted. */
  accepted: number
  /** All other answers, by what came instead: a status, `refused`, `timeout`, `reset`. */
  failures: Record<string, number>
  /** Requests that the generator should have sent and did not. */
  dropped: number
  /** Accepted requests a second over the step. */
  throughput: number
  latency: Latency | null
  /**
   * The encoded distribution of all answers that count for latency (src/distribution.ts); absent where there was no
   * answer, and in runs of earlier versions.
   */
  distribution?: string
  /** The same for each of several workflows that were called at once; absent with one workflow. */
  parts?: LoadPart[]
  /** Share of its own cores that the generator used, 0 to 1; for requests on a schedule, in its busiest second. */
  generatorCpu: number | null
}

export interface LoadPart {
  workflow: string
  accepted: number
  failed: number
  latency: Latency | null
}

export interface Latency {
  mean: number
  p50: number
  p90: number
  p95: number
  p99: number
  /** Absent in runs of earlier versions. */
  'p99.9'?: number
  max: number
}
