import { chooseLimiter } from '../../loadtests/src/targets/local/limits/choose.ts'

/** Limits as a run would on this machine. */
export const limiter = await chooseLimiter()

/**
 * Describes what limits do, by the means that this machine has. Where it has none there is nothing to prove,
 * and the name of what is skipped says so.
 */
export function describeLimits(what: string, tests: () => void): void {
  if (limiter.enforced) describe(`${what}, by ${limiter.kind}`, tests)
  else describe.skip(`${what} (not tested: this machine enforces no limits)`, tests)
}
