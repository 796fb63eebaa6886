import { usage } from '../lib/errors.ts'

/** What a plan may not contain on a target. */
export const planErrors = {
  notOnThisTarget: (what: string, why: string) =>
    usage('not-on-this-target', `Expected a plan that runs on one machine, got ${what}.`, why),
}
