import type { PatchState } from '../model/tier.ts'
import type { Executions, Pool } from '../model/sample.ts'

/**
 * What the lab reads from /metrics of an n8n process, or of a bare server, whose requests count as executions. Bytes,
 * milliseconds, counts.
 */
export interface Metrics {
  /** Counters start again at zero with each process. */
  startedAt: number | null
  heapUsed: number | null
  heapTotal: number | null
  external: number | null
  lag: number | null
  executions: Executions | null
  /** Answered requests: n8n counts those to its webhooks. Releases without that counter give executions instead. */
  requests: number | null
  /** Of its connections to the database; n8n counts them from 2 on. */
  pool: Pool | null
  /** Open files, pipes and connections. */
  files: number | null
}

/** n8n 0.x leaves its prefix off Node's own figures. */
const ours =
  '(?:n8n_)?(?:process_(?:start_time_seconds|open_fds)|nodejs_(?:heap_size|external_memory|eventloop_lag_p99)\\w*'
  + '|db_pool_(?:connections_(?:active|max)|requests_pending)'
  + '|workflow_\\w+_total|requests_\\w+_total|webhook_request_duration_seconds_count)'

export function readMetrics(text: string): Metrics {
  const byName = Map.groupBy(parseMetrics(text, ours), ({ name }) => name)
  const value = (name: string) => {
    const metrics = byName.get(`n8n_${name}`) ?? byName.get(name)
    return metrics ? metrics.reduce((sum, metric) => sum + metric.value, 0) : null
  }
  const scaled = (name: string, scale: number) => {
    const found = value(name)
    return found === null ? null : found * scale
  }
  const startedAt = scaled('process_start_time_seconds', 1000)
  // n8n lists a counter only after its first event; before that it is zero. While n8n starts, it answers with text
  // instead.
  const counted = (event: string) =>
    value(`workflow_${event}_total`) ?? value(`requests_${event === 'success' ? 'succeeded' : event}_total`) ?? 0
  const executions =
    startedAt === null
      ? null
      : { started: counted('started'), succeeded: counted('success'), failed: counted('failed') }
  const webhooks = text.includes('# TYPE n8n_webhook_request_duration_seconds histogram')
  const [active, waiting, max] = ['connections_active', 'requests_pending', 'connections_max'].map((name) =>
    value(`db_pool_${name}`),
  )
  return {
    startedAt,
    heapUsed: value('nodejs_heap_size_used_bytes'),
    heapTotal: value('nodejs_heap_size_total_bytes'),
    external: value('nodejs_external_memory_bytes'),
    lag: scaled('nodejs_eventloop_lag_p99_seconds', 1000),
    executions,
    requests: executions && (webhooks ? (value('webhook_request_duration_seconds_count') ?? 0) : executions.started),
    pool: active != null && waiting != null && max ? { active, waiting, max } : null,
    files: value('process_open_fds'),
  }
}

/** Each patch is a gauge with the value 1 and its state as a label. */
export function readPatches(text: string): PatchState[] {
  return parseMetrics(text, 'n8n_tuned_patch').flatMap(({ value, labels: { patch, state, reason = null } }) =>
    value === 1 && patch && state ? [{ patch, state: state as PatchState['state'], reason }] : [],
  )
}

/** One line of Prometheus' text format. */
export interface Metric {
  name: string
  labels: Record<string, string>
  value: number
}

/**
 * Parses only the lines whose name matches the pattern: n8n reports many more, and the lab reads them every second from
 * every process.
 */
export function parseMetrics(text: string, names: string): Metric[] {
  const lines = text.matchAll(new RegExp(`^(${names})(?:\\{(.*)\\})? ([-+.\\de]+|[-+]?Inf|NaN)(?: \\d+)?$`, 'gm'))
  return [...lines].map(([, name, labels = '', value]) => ({
    name: name!,
    labels: labelsOf(labels),
    value: Number(value!.replace('Inf', 'Infinity')),
  }))
}

const escapes: Record<string, string> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' }

function labelsOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
  return Object.fromEntries(
    pairs.map(([, name, value]) => [name!, value!.replace(/\\[n"\\]/g, (one) => escapes[one]!)]),
  )
}

/**
 * What a component answered at /metrics. Webhook processors serve metrics only since n8n 2: earlier ones answer 404,
 * and count no executions.
 */
export function servedMetrics(component: string, answer: { status: number; text: string } | null): string | null {
  if (answer?.status === 200) return answer.text
  return component === 'webhook' && answer?.status === 404 ? '' : null
}
