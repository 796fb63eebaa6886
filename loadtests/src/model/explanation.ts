import { z } from 'zod'

/** What n8n's CPU time went into during an extra step of load, under V8's profiler. */

export const DearFunction = z.strictObject({
  name: z.string(),
  where: z.string().describe('The file below node_modules, with its line; empty where V8 does not say.'),
  share: z.number().describe('Of the time in which the main thread was not idle, without what the function calls.'),
})
export type DearFunction = z.infer<typeof DearFunction>

const Watched = z.strictObject({
  process: z.string(),
  elapsed: z.number().describe('Seconds of watching.'),
  cpu: z.number().describe('CPU seconds that its container took in them, as the system counted them.'),
  idle: z.number().describe('Share of the time in which n8n’s main thread was idle.'),
})

export const ExplainedProcess = Watched.extend({
  functions: z.array(DearFunction).describe('The ten dearest first.'),
})
export type ExplainedProcess = z.infer<typeof ExplainedProcess>

/** As earlier releases recorded it: shares of areas in place of functions. */
export const ExplainedByArea = z.looseObject({
  ...Watched.shape,
  shares: z.array(z.looseObject({ what: z.string(), share: z.number() })),
})
export type ExplainedByArea = z.infer<typeof ExplainedByArea>

export const Explanation = z.strictObject({
  rate: z
    .number()
    .nullable()
    .describe('The rate of that step, in requests a second; null where clients waited for their answers.'),
  processes: z.array(ExplainedProcess),
})
export type Explanation = z.infer<typeof Explanation>
