import type { Fail } from '../lib/repeat.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const uncaught = ['uncaughtException', 'unhandledRejection'] as const

/** Runs that take everything down themselves. */
let running = 0

/** Ends the command at a signal or an error that nothing else sees to, unless a run does. */
export function endWithoutRun(onSignal: () => never, onError: (error: unknown) => never): void {
  for (const name of signals) process.on(name, () => void (running || onSignal()))
  for (const name of uncaught) process.on(name, (error: unknown) => void (running || onError(error)))
}

export interface Interrupt {
  /** Aborted with the error, where a failure ends the run. */
  signal: AbortSignal
  fail: Fail
  release(): void
}

/**
 * Ctrl-C asks for an orderly end, and so does every signal to stop. A second signal ends the lab at once. An error that
 * nobody has caught asks for an orderly end as well: n8n may still run.
 */
export function onInterrupt(say: () => void, endAtOnce: () => void): Interrupt {
  const controller = new AbortController()
  const abort = () => {
    if (controller.signal.aborted) return endAtOnce()
    say()
    controller.abort()
  }
  const fail: Fail = (error) => controller.abort(error)
  running++
  for (const name of signals) process.on(name, abort)
  for (const name of uncaught) process.on(name, fail)
  return {
    signal: controller.signal,
    fail,
    release() {
      running--
      for (const name of signals) process.off(name, abort)
      for (const name of uncaught) process.off(name, fail)
    },
  }
}
