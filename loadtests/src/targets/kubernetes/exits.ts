import type { Exit } from '../../model/event.ts'

/** Pure: how many times a container has ended, and how it ended last. */
export interface Ends {
  count: number
  last: { reason: string; exitCode: number } | null
}

export function endsOf(status: any): Ends {
  const { restartCount = 0, state = {}, lastState = {} } = status
  const last = state.terminated ?? lastState.terminated ?? null
  // Kubernetes counts a container's starts after the first. If it is not running now, it has ended once more.
  return { count: restartCount + (last && !state.running ? 1 : 0), last }
}

export function exitOf(last: Ends['last'], log: string[]): Exit {
  const heap = log.some((line) => /JavaScript heap out of memory|Reached heap limit/.test(line))
  const reason = last?.reason === 'OOMKilled' ? 'oom-killed' : heap ? 'heap-exhausted' : 'crashed'
  return { reason, code: last?.exitCode ?? null, signal: null, log }
}
