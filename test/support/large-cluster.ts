/**
 * An hour of a cluster of 200 pods that answers 10,000 requests a second, as the lab sees it. Real sampler, real
 * record, made processes, and a clock that this program turns.
 * usage: node test/support/large-cluster.ts FOLDER
 */
import { mock } from 'node:test'
import { encode } from '../../loadtests/src/model/distribution.ts'
import { Samples } from '../../loadtests/src/model/samples.ts'
import { seenIn } from '../../loadtests/src/judge/seen.ts'
import { startSampler } from '../../loadtests/src/run/sampler.ts'
import type { RunningProcess } from '../../loadtests/src/n8n/running.ts'
import { cell, end, run, step, T0, visited } from '../loadtests/fixtures/records.ts'
import { random as seeded } from './random.ts'
import { openRecorder } from '../../loadtests/src/run/record-file.ts'

const [seconds, rate] = [3600, 10_000]
const roles = { main: 4, webhook: 36, worker: 160 }
const random = seeded(1)
const mebibyte = 2 ** 20

mock.timers.enable({ apis: ['setInterval', 'Date'], now: T0 })
performance.now = () => Date.now() - T0

const elapsed = () => (Date.now() - T0) / 1000
const names = Object.entries(roles).flatMap(([role, count]) =>
  Array.from({ length: count }, (_, index) => `${role}-${index}`),
)

function pod(name: string): RunningProcess {
  const share = name.startsWith('worker') ? rate / roles.worker : 0
  return {
    name,
    limits: { cpu: 1, memory: 1024 * mebibyte },
    serves: name.startsWith('webhook'),
    usage: async () => ({
      cpuSeconds: elapsed() * (0.6 + 0.01 * random()),
      rss: Math.round((400 + 50 * random()) * 256) * 4096,
      pids: 1,
      throttling: { periods: Math.round(10 * elapsed()), stopped: Math.round(elapsed()) },
      loop: { ran: 0.5 * elapsed(), waited: 0.01 * elapsed() },
    }),
    metrics: async () => metricsOf(Math.round(share * elapsed())),
  }
}

const metricsOf = (done: number) =>
  [
    `n8n_process_start_time_seconds ${T0 / 1000}`,
    `n8n_process_open_fds ${Math.round(60 + 10 * random())}`,
    `n8n_nodejs_heap_size_used_bytes ${Math.round((150 + 60 * random()) * mebibyte)}`,
    `n8n_nodejs_heap_size_total_bytes ${Math.round((250 + 10 * random()) * mebibyte)}`,
    `n8n_nodejs_external_memory_bytes ${Math.round((20 + random()) * mebibyte)}`,
    `n8n_nodejs_eventloop_lag_p99_seconds ${0.01 + 0.01 * random()}`,
    `n8n_workflow_started_total ${done + 5}`,
    `n8n_workflow_success_total ${done}`,
    'n8n_db_pool_connections_active 3',
    'n8n_db_pool_requests_pending 0',
    'n8n_db_pool_connections_max 10',
    '',
  ].join('\n')

const fail = (error: unknown) => {
  throw error
}
const recorder = await openRecorder(process.argv[2]!, fail)
const load = { shape: 'constant', rate, duration: seconds, timeout: 30, arrivals: 'random' } as const
recorder.add(run({ experiment: { variants: [{ name: 'tuned', values: {} }], load } }))
recorder.add(cell(0))
const samples = new Samples()
const processes = names.map(pod)
const sampler = startSampler(
  processes,
  (sample) => {
    samples.add(sample)
    recorder.add({ type: 'sample', cell: 0, ...sample })
  },
  undefined,
  fail,
)
for (let second = 0; second < seconds; second++) {
  mock.timers.tick(1000)
  await new Promise(setImmediate)
  recorder.add({ type: 'queue', cell: 0, at: Date.now(), waiting: 40, active: 500, took: 1.5, keys: 4000 })
}
sampler.stop()
const during = { startedAt: T0, endedAt: Date.now() }
const seen = seenIn({ samples, queue: [], database: [] }, during, {
  processes,
  cores: null,
  heaps: {},
  slots: null,
  runner: null,
  request: null,
})
const measured = step(0, rate, { seconds, p95: 90 })
if (measured.type !== 'step') throw new TypeError('Expected a step.')
const times = Array.from({ length: 1000 }, (_, index) => ({ value: 20 + index / 10, count: (rate * seconds) / 1000 }))
recorder.add({ ...measured, load: { ...measured.load, distribution: encode(times) } })
recorder.add(visited(0, 1))
recorder.add(end('complete', Date.now()))
await recorder.close()
const memory = process.resourceUsage().maxRSS * 1024
process.stdout.write(JSON.stringify({ memory, looks: samples.length, processes: seen.processes.length }))
