import { usage } from '../../lib/errors.ts'

/** What PM2 cannot run. */
export const pm2Errors = {
  notUnderPm2: (what: string, hint: string) =>
    usage(
      'not-under-pm2',
      `Expected a plan that PM2 can run, which are processes of n8n and nothing else, got ${what}.`,
      hint,
    ),
}
