import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { until } from '../../loadtests/src/lib/await.ts'
import { freePorts } from '../../loadtests/src/lib/ports.ts'
import { chartScript } from './chart-script.ts'
import { postgresqlEnv } from './postgresql.ts'
import { runtime } from './runtime.ts'

export interface StuckSidecar {
  /** Waits until it answers with this figure, or without one. */
  counts(stuck: number | undefined): Promise<true | undefined>
  /** Waits until it says that so many executions crashed recently. */
  hasCrashed(count: number): Promise<true | undefined>
  /** Waits until it says that so many waits are overdue. */
  hasOverdueWaits(count: number): Promise<true | undefined>
  /** Waits until it says that so many processes listen to the queue. */
  hasListeners(count: number): Promise<true | undefined>
  /** Waits until it says that the queue has had so many jobs. */
  hasHadJobs(count: number): Promise<true | undefined>
  /** The ids that its log has, in that order. */
  named(): number[]
  log(): string
  /** Begins a new log. */
  forget(): void
  stop(): Promise<void>
}

/** The sidecar that counts stuck executions, as the chart runs it but with a look every 200 ms. */
export async function startStuckSidecar(
  postgresql: { port: number; password: string },
  redis: { port: number },
): Promise<StuckSidecar> {
  const [port] = (await freePorts(1)) as [number]
  const { node, folder } = runtime('2.41.1')
  const child = spawn(node, ['-e', chartScript('database.js', 'redis.js', 'stuck.js')], {
    env: {
      PATH: `${join(folder, 'node_modules/.bin')}:/usr/bin:/bin`,
      ...postgresqlEnv(postgresql),
      QUEUE_BULL_PREFIX: 'bull',
      QUEUE_BULL_REDIS_HOST: '127.0.0.1',
      QUEUE_BULL_REDIS_PORT: String(redis.port),
      STUCK_PORT: String(port),
      STUCK_SECONDS: '1',
      CRASHED_SECONDS: '3600',
      LOOK_SECONDS: '0.2',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let log = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (log += text))

  const figure = async (metric: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined)
    // One that does not answer at all has ended, or not begun.
    if (!answer) return null
    const [, value] = new RegExp(`^${metric} (\\d+)$`, 'm').exec(await answer.text()) ?? []
    return value === undefined ? undefined : Number(value)
  }
  const says = (metric: string, value: number | undefined) =>
    until(async () => (await figure(metric)) === value, { timeout: 20_000, every: 50 })
  const counts: StuckSidecar['counts'] = (stuck) => says('n8n_tuned_stuck_executions', stuck)
  if (!(await counts(0))) throw new Error(`Expected the sidecar to look within 20 s, got:\n${log}`)
  return {
    counts,
    hasCrashed: (count) => says('n8n_tuned_crashed_executions', count),
    hasOverdueWaits: (count) => says('n8n_tuned_overdue_waits', count),
    hasListeners: (count) => says('n8n_tuned_queue_listeners', count),
    hasHadJobs: (count) => says('n8n_tuned_queue_jobs_total', count),
    named: () => [...log.matchAll(/execution (\d+) of workflow \S+ is stuck/g)].map(([, id]) => Number(id)),
    log: () => log,
    forget: () => void (log = ''),
    async stop() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}
