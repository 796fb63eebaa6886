import { z } from 'zod'

/** What n8n's CPU time went into during an extra step after the search, and how to reduce the largest share. */

export const Share = z.strictObject({
  area: z.string(),
  what: z.string().describe('The name of the area for readers.'),
  amount: z.number(),
  share: z.number(),
})
export type Share = z.infer<typeof Share>

export const ExplainedProcess = z.strictObject({
  process: z.string(),
  elapsed: z.number().describe('Seconds of watching.'),
  cpu: z.number().describe('CPU seconds that its container took in them, as the system counted them.'),
  unexplained: z
    .number()
    .describe(
      'The share of those CPU seconds that belongs to no known thread or process; below 0 where the lab found more '
        + 'than the system.',
    ),
  idle: z.number().describe('Share of the time in which n8n’s main thread took no CPU.'),
  shares: z.array(Share).describe('CPU seconds of each area, the largest first; shares of what the system counted.'),
  allocated: z.array(Share).describe('Bytes that each area allocated, by samples; shares of the sum.'),
})
export type ExplainedProcess = z.infer<typeof ExplainedProcess>

export const Explanation = z.strictObject({
  rate: z
    .number()
    .nullable()
    .describe('The rate of that step, in requests a second; null where clients waited for their answers.'),
  processes: z.array(ExplainedProcess),
  largest: z.string().nullable().describe('Over all processes; null where there was nothing to explain.'),
  text: z.string(),
  advice: z.string().describe('What to set, or what to change about the workflow.'),
})
export type Explanation = z.infer<typeof Explanation>
