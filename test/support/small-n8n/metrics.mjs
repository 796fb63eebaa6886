/**
 * /metrics as n8n writes it, shortened: 2.x puts its prefix before everything, 0.x only before its own counters,
 * and both list a counter from its first event on.
 */
export function metricsText({
  startedAt,
  started = 0,
  succeeded = 0,
  failed = 0,
  memory = process.memoryUsage(),
  line0 = false,
}) {
  const prefix = line0 ? '' : 'n8n_'
  const events = Object.entries({ started, success: succeeded, failed }).filter(([, count]) => count > 0)
  return `# HELP ${prefix}process_cpu_seconds_total Total user and system CPU time spent in seconds.
# TYPE ${prefix}process_cpu_seconds_total counter
${prefix}process_cpu_seconds_total 0.169509

# HELP ${prefix}process_start_time_seconds Start time of the process since unix epoch in seconds.
# TYPE ${prefix}process_start_time_seconds gauge
${prefix}process_start_time_seconds ${startedAt}

# HELP ${prefix}process_open_fds Number of open file descriptors.
# TYPE ${prefix}process_open_fds gauge
${prefix}process_open_fds 47

# HELP ${prefix}nodejs_eventloop_lag_p99_seconds The 99th percentile of the recorded event loop delays.
# TYPE ${prefix}nodejs_eventloop_lag_p99_seconds gauge
${prefix}nodejs_eventloop_lag_p99_seconds 0.229900287

# HELP ${prefix}nodejs_active_resources Number of active resources that are currently keeping \
the event loop alive, grouped by async resource type.
# TYPE ${prefix}nodejs_active_resources gauge
${prefix}nodejs_active_resources{type="TCPServerWrap"} 2
${prefix}nodejs_active_resources{type="Timeout"} 13

# HELP ${prefix}nodejs_heap_size_total_bytes Process heap size from Node.js in bytes.
# TYPE ${prefix}nodejs_heap_size_total_bytes gauge
${prefix}nodejs_heap_size_total_bytes ${memory.heapTotal}

# HELP ${prefix}nodejs_heap_size_used_bytes Process heap size used from Node.js in bytes.
# TYPE ${prefix}nodejs_heap_size_used_bytes gauge
${prefix}nodejs_heap_size_used_bytes ${memory.heapUsed}

# HELP ${prefix}nodejs_external_memory_bytes Node.js external memory size in bytes.
# TYPE ${prefix}nodejs_external_memory_bytes gauge
${prefix}nodejs_external_memory_bytes ${memory.external}

# HELP ${prefix}nodejs_gc_duration_seconds Garbage collection duration by kind, \
one of major, minor, incremental or weakcb.
# TYPE ${prefix}nodejs_gc_duration_seconds histogram
${prefix}nodejs_gc_duration_seconds_bucket{le="0.001",kind="minor"} 0
${prefix}nodejs_gc_duration_seconds_bucket{le="+Inf",kind="minor"} 3
${prefix}nodejs_gc_duration_seconds_sum{kind="minor"} 0.013
${prefix}nodejs_gc_duration_seconds_count{kind="minor"} 3

# HELP n8n_version_info n8n version info.
# TYPE n8n_version_info gauge
n8n_version_info{version="v2.41.1",major="2",minor="41",patch="1"} 1
${events
  .map(
    ([name, count]) => `
# HELP n8n_workflow_${name}_total Total number of n8n.workflow.${name} events.
# TYPE n8n_workflow_${name}_total counter
n8n_workflow_${name}_total{workflow_id="1"} ${Math.ceil(count / 2)}
n8n_workflow_${name}_total{workflow_id="2"} ${Math.floor(count / 2)}
`,
  )
  .join('')}`
}
