import type { Usage } from '../targets/target.ts'
import type { Sample } from '../model/sample.ts'

/** What the system knew of a process, and when, in seconds. */
export type Look = Usage & { at: number }

export type SystemSample = Pick<Sample, 'cpu' | 'rss' | 'pids' | 'throttled' | 'loop'>

/** What it used since an earlier look that told its CPU time. Counters may begin anew between the two. */
export function since(before: Look | undefined, now: Look): SystemSample {
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
function stopped(before: Look | undefined, now: Look): number | null {
  if (!before?.throttling || !now.throttling) return null
  const periods = now.throttling.periods - before.throttling.periods
  return periods > 0 ? Math.max(0, now.throttling.stopped - before.throttling.stopped) / periods : null
}
