import { failProcess, repeat, type Fail } from '../lib/repeat.ts'
import type { RunningProcess, Usage } from '../n8n/running.ts'
import { readMetrics, type Metrics } from '../n8n/metrics.ts'
import { countOn, ofPresent, riseOn, sum, total, type CountedOn, type Risen } from './over-restarts.ts'
import type { Executions, Sample } from '../model/sample.ts'

export interface Sampler {
  /**
   * Reads executions over all processes, and the requests of each process that receives them. Null where a process does
   * not answer.
   */
  count(timeout: number): Promise<{ executions: Executions; underWay: number; requests: Record<string, number> } | null>
  /** Asleep, it looks at nothing. It begins again with a look, so that what was used meanwhile is told apart. */
  awake(isAwake: boolean): Promise<void>
  stop(): void
}

/** Long enough to be cheap, short enough to see that a process is about to be killed. */
const period = 1000
/** If a process is too busy to answer within this time, the lab still reads its CPU and memory. */
const patience = 900

export function startSampler(
  processes: RunningProcess[],
  onSample: (sample: Sample) => void,
  every = period,
  fail: Fail = failProcess,
): Sampler {
  const counted = new Map<string, CountedOn>()
  const requests = new Map<string, Risen>()
  const usages = new Map<string, UsageLook>()
  /** The processes that say that they serve no metrics. */
  const without = new Set<string>()

  async function scrape(process: RunningProcess, timeout: number): Promise<Metrics | null> {
    const text = await process.metrics?.(timeout)
    if (text === '') without.add(process.name)
    if (!text) return null
    // An upgrade may bring them.
    without.delete(process.name)
    const metrics = readMetrics(text)
    if (metrics.executions)
      counted.set(
        process.name,
        countOn(
          counted.get(process.name) ?? null,
          metrics.startedAt,
          metrics.executions,
          process.ranBefore && metrics.executions,
        ),
      )
    if (process.serves && metrics.requests !== null)
      requests.set(process.name, riseOn(requests.get(process.name), metrics.requests))
    return metrics
  }

  async function look(process: RunningProcess): Promise<void> {
    const asked = Date.now()
    const [system, metrics] = await Promise.all([usage(process), scrape(process, patience)])
    // The process counted at some moment between question and answer.
    const at = Math.round((asked + Date.now()) / 2)
    const state = counted.get(process.name)
    if (stopped) return
    onSample({
      at,
      process: process.name,
      ...system,
      heapUsed: metrics?.heapUsed ?? null,
      heapTotal: metrics?.heapTotal ?? null,
      external: metrics?.external ?? null,
      lag: metrics?.lag ?? null,
      executions: metrics?.executions && state ? total(state) : null,
      ...(process.metrics && !metrics?.executions && !without.has(process.name) && { silent: true as const }),
      ...(metrics?.pool && { pool: metrics.pool }),
      ...(metrics?.files != null && { files: metrics.files }),
    })
  }

  async function usage(process: RunningProcess): Promise<SystemSample> {
    const now: UsageLook = { ...(await process.usage()), at: performance.now() / 1000 }
    const before = usages.get(process.name)
    // After a look that told nothing, the next one covers its time.
    if (now.cpuSeconds !== null) usages.set(process.name, now)
    return since(before, now)
  }

  const lookAtAll = async () => void (await Promise.all(processes.map(look)))
  let stopped = false
  let isAsleep = false
  // A look that is left out because the machine is too busy is covered by the next one.
  const end = repeat(async () => void (isAsleep || (await lookAtAll())), every, fail)

  return {
    async count(timeout) {
      const answers = await Promise.all(processes.map((process) => scrape(process, timeout)))
      const missing = processes.some(
        ({ name, metrics }, index) => metrics && !without.has(name) && !answers[index]?.executions,
      )
      if (missing || counted.size === 0) return null
      const now = [...counted.values()].map(ofPresent).reduce(sum)
      return {
        executions: [...counted.values()].map(total).reduce(sum),
        underWay: now.started - now.succeeded - now.failed,
        requests: Object.fromEntries([...requests].map(([name, { base, last }]) => [name, base + last])),
      }
    },
    async awake(isAwake) {
      if (isAwake && isAsleep) await lookAtAll()
      isAsleep = !isAwake
    },
    stop() {
      stopped = true
      end()
    },
  }
}

/** What the system knew of a process, and when, in seconds. */
export type UsageLook = Usage & { at: number }

type SystemSample = Pick<Sample, 'cpu' | 'rss' | 'pids' | 'throttled' | 'loop'>

/** What it used since an earlier look that told its CPU time. Counters may begin anew between the two. */
export function since(before: UsageLook | undefined, now: UsageLook): SystemSample {
  const elapsed = before ? now.at - before.at : 0
  const share = (from: number, to: number) => Math.max(0, (to - from) / elapsed)
  const throttled = stopped(before, now)
  return {
    cpu: elapsed && now.cpuSeconds !== null ? share(before!.cpuSeconds!, now.cpuSeconds) : null,
    rss: now.rss,
    pids: now.pids,
    ...(throttled !== null && { throttled }),
    ...(before?.loop
      && now.loop && {
        loop: { ran: share(before.loop.ran, now.loop.ran), waited: share(before.loop.waited, now.loop.waited) },
      }),
  }
}

/** The share of the periods between in which its limit stopped it; null where there was none. */
function stopped(before: UsageLook | undefined, now: UsageLook): number | null {
  if (!before?.throttling || !now.throttling) return null
  const periods = now.throttling.periods - before.throttling.periods
  return periods > 0 ? Math.max(0, now.throttling.stopped - before.throttling.stopped) / periods : null
}
