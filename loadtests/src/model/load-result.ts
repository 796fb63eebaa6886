import type { Arrivals } from './profile/experiment.ts'

/** What the load generator saw in one step. Times are epoch milliseconds, latencies milliseconds. */
export interface LoadResult {
  shape: 'closed' | 'constant' | 'course'
  /** The load asked for: requests a second (constant; for a course, the highest) or concurrent clients (closed). */
  rate: number | null
  vus: number | null
  startedAt: number
  endedAt: number
  /** Requests that were due, until the load ended. */
  requests: number
  /** Answers with a 2xx status: what n8n accepted. */
  accepted: number
  /** All others, by what came instead: a status, `refused`, `timeout`, `reset`; `unsent` where no client was free. */
  failures: Record<string, number>
  /**
   * Requests that were due and never sent: no client was free for as long as a caller waits. They count as failed. In
   * runs of earlier versions: what the generator skipped, which counted nowhere.
   */
  dropped: number
  /** How the requests of an open load arrived. Absent with closed loads, and in runs of earlier versions. */
  arrivals?: Arrivals
  /**
   * Milliseconds by which the generator itself sent requests later than due, with a client that only waited for the
   * moment; null where no client ever waited. Absent likewise.
   */
  lag?: Pick<Latency, 'p95' | 'p99' | 'p99.9'> | null
  /** Accepted requests a second over the step. */
  throughput: number
  latency: Latency | null
  /**
   * The encoded distribution of how long callers waited, for all requests that count for latency
   * (src/distribution.ts). Absent where there was no answer, and in runs of earlier versions.
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
  /** As for all of them; absent in runs of earlier versions. */
  distribution?: string
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
