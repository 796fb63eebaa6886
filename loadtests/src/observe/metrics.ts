import parse from 'parse-prometheus-text-format'
import type { Executions } from './sample.ts'

/** What the lab reads from an n8n process's /metrics. Bytes, milliseconds, counts. */
export interface Metrics {
  /** Counters begin anew with the process. */
  startedAt: number | null
  heapUsed: number | null
  heapTotal: number | null
  external: number | null
  lag: number | null
  executions: Executions | null
}

export function readMetrics(text: string): Metrics {
  const families = new Map(parse(text).map((family) => [family.name, family.metrics]))
  const value = (name: string) => {
    const metrics = families.get(name)
    return metrics?.length ? metrics.reduce((sum, metric) => sum + Number(metric.value), 0) : null
  }
  const scaled = (name: string, scale: number) => {
    const found = value(name)
    return found === null ? null : found * scale
  }
  const started = value('n8n_workflow_started_total')
  return {
    startedAt: scaled('n8n_process_start_time_seconds', 1000),
    heapUsed: value('n8n_nodejs_heap_size_used_bytes'),
    heapTotal: value('n8n_nodejs_heap_size_total_bytes'),
    external: value('n8n_nodejs_external_memory_bytes'),
    lag: scaled('n8n_nodejs_eventloop_lag_p99_seconds', 1000),
    // n8n lists a counter from its first event on: before that it is zero, where events are counted at all.
    executions: { started: started ?? 0, succeeded: value('n8n_workflow_success_total') ?? 0, failed: value('n8n_workflow_failed_total') ?? 0 },
  }
}
