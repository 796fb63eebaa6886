/** What the load generator saw in one step. Times are epoch milliseconds, latencies milliseconds. */
export interface LoadResult {
  shape: 'closed' | 'constant' | 'course'
  /** What was asked for: requests a second (constant; of a course the most) or concurrent clients (closed). */
  rate: number | null
  vus: number | null
  startedAt: number
  endedAt: number
  requests: number
  /** Answers with a 2xx status: what n8n accepted. */
  accepted: number
  /** Everything else, by what came back instead: a status, `refused`, `timeout`, `reset`. */
  failures: Record<string, number>
  /** Requests that the generator should have sent and did not. */
  dropped: number
  /** Accepted requests a second over the step. */
  throughput: number
  latency: Latency | null
  /**
   * Of all answers that count for latency, encoded (src/distribution.ts); absent where there was none, and in runs of
   * earlier versions.
   */
  distribution?: string
  /** Of each of several workflows that were called at once; absent where one was. */
  parts?: LoadPart[]
  /**
   * Share of the generator's own cores that it used, 0 to 1: in its busiest second, where requests came on a schedule.
   */
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
