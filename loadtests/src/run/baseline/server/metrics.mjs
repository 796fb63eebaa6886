import { monitorEventLoopDelay } from 'node:perf_hooks'

const counts = { started: 0, succeeded: 0, failed: 0 }
const delay = monitorEventLoopDelay()
delay.enable()

/** A request counts as answered once its answer is handed over, and as failed if the caller has gone. */
export function counted(response) {
  counts.started++
  response.once('close', () => counts[response.writableFinished ? 'succeeded' : 'failed']++)
}

/** The same work as in the clustering article's handler. */
export function count(to) {
  const steps = Number(to)
  let sum = 0
  for (let step = 0; step < steps; step++) sum += step
  return String(sum)
}

/** Under the names that Prometheus clients for Node use. */
export function ownMetrics() {
  const { heapUsed, heapTotal, external } = process.memoryUsage()
  const lag = delay.percentile(99) / 1e9
  delay.reset()
  const figures = {
    process_start_time_seconds: performance.timeOrigin / 1000,
    nodejs_heap_size_used_bytes: heapUsed,
    nodejs_heap_size_total_bytes: heapTotal,
    nodejs_external_memory_bytes: external,
    nodejs_eventloop_lag_p99_seconds: lag,
    requests_started_total: counts.started,
    requests_succeeded_total: counts.succeeded,
    requests_failed_total: counts.failed,
  }
  return Object.entries(figures)
    .map(([name, value]) => `# TYPE ${name} gauge\n${name} ${value}\n`)
    .join('')
}
