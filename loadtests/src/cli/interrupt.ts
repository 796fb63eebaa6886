import { exitCodes, type ExitCode } from '../lib/errors.ts'
import type { Fail } from '../lib/repeat.ts'

const exitOf = {
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
  SIGHUP: exitCodes.hungUp,
} as const
type Signal = keyof typeof exitOf
const signals = Object.keys(exitOf) as Signal[]
const uncaught = ['uncaughtException', 'unhandledRejection'] as const

/** Runs that take everything down themselves. */
let running = 0

/** Ends the command at a signal or an error that nothing else sees to, unless a run does. */
export function endWithoutRun(onSignal: (exit: ExitCode) => never, onError: (error: unknown) => never): void {
  for (const name of signals) process.on(name, () => void (running || onSignal(exitOf[name])))
  for (const name of uncaught) process.on(name, (error: unknown) => void (running || onError(error)))
}

export interface Interrupt {
  /** Aborted with the error, where a failure ends the run. */
  signal: AbortSignal
  fail: Fail
  /** How the command ends: as the first signal says, or as a failure where none came. */
  exit(): ExitCode
  release(): void
}

/**
 * Ctrl-C asks for an orderly end, and so does every signal to stop. A second signal ends the lab at once. An error that
 * nobody has caught asks for an orderly end as well: n8n may still run.
 */
export function onInterrupt(say: () => void, endAtOnce: (exit: ExitCode) => void): Interrupt {
  const controller = new AbortController()
  let exit: ExitCode = exitCodes.failure
  const abort = (name: Signal) => {
    if (controller.signal.aborted) return endAtOnce(exitOf[name])
    exit = exitOf[name]
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
    exit: () => exit,
    release() {
      running--
      for (const name of signals) process.off(name, abort)
      for (const name of uncaught) process.off(name, fail)
    },
  }
}
