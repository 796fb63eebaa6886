import { usage } from '../errors.ts'

/** What a plan may not have where it is to run. */
export const planErrors = {
  notOnThisTarget: (what: string, why: string) =>
    usage('not-on-this-target', `Expected a plan that runs on one machine, got ${what}.`, why),
}
