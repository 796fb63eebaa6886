import { invalid } from '../lib/errors.ts'

/** Why a process cannot be measured, on every target. */
export const readinessErrors = {
  neverReady: (process: string, reason: string, hint: string, log: string[]) =>
    invalid('never-ready', `Expected ${process} to become ready, but ${reason}.`, hint, log),
}
