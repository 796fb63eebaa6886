import { z } from 'zod'
import { Reason } from './step.ts'

/** What to run a configuration at: its safe rate, and what was seen while that was held for minutes. */

/** The safe rate itself. A smaller share leaves room for peaks. */
export const usualShare = 1

/** A load that lasts for less says nothing of memory by the hour. */
export const isSoak = (seconds: number): boolean => seconds >= 600

export const Slope = z
  .strictObject({ perHour: z.number(), within: z.number() })
  .describe('How fast a figure rises, a share of itself an hour, and the ± of that, right 19 times in 20.')
export type Slope = z.infer<typeof Slope>

export const Thirds = z
  .strictObject({ second: z.number(), last: z.number() })
  .describe('Medians of the second third and of the last of the time that a rate was held.')
export type Thirds = z.infer<typeof Thirds>

export const Growth = Thirds.extend({
  process: z.string(),
  slope: Slope.nullable().describe('From the second third on; null where that is too short for one.'),
  heap: Thirds.nullable().describe('The part that is V8’s heap in use; null where the process does not say.'),
  outside: Slope.optional().describe('Of what V8 did not reserve for its heap; absent where the process does not say.'),
  keptHeap: z
    .strictObject({ before: z.number(), after: z.number() })
    .optional()
    .describe('The heap after a full garbage collection, before the load and after it; absent where unseen.'),
  files: Thirds.nullable().describe('Open files, pipes and connections; null where the process does not say.'),
}).describe('Resident memory of a process while a rate was held, bytes.')
export type Growth = z.infer<typeof Growth>

export const Held = z
  .strictObject({
    seconds: z.number(),
    holds: z.boolean(),
    reasons: z.array(Reason),
    unsure: z.literal(true).optional().describe('There were too few answers to tell; absent where they tell.'),
    p95: z.number().nullable(),
    backlogGrowth: z.number().nullable(),
    memory: z.array(Growth),
    keys: Thirds.nullable().describe('The keys in Redis; null where no queue is.'),
    database: z
      .strictObject({
        bytesOfDay: z.number().describe('What a day at this rate adds, before n8n prunes.'),
        keptOfDay: z.number().describe('Executions that a day at this rate leaves in the history.'),
        transactions: z.number().nullable().describe('For each execution; null where the database does not count.'),
      })
      .nullable()
      .describe('Null where n8n’s database does not say.'),
  })
  .describe('What was seen while the rate was held.')
export type Held = z.infer<typeof Held>

export const Operating = z.strictObject({
  rate: z.number().describe('Requests a second.'),
  share: z.number().describe('Of the safe rate.'),
  held: Held.nullable().describe('Null where it was not held: then the rate is a rule of thumb.'),
  costOfMillion: z
    .number()
    .nullable()
    .describe('Of a million executions; null without a price of the user’s, or where something has no limit.'),
})
export type Operating = z.infer<typeof Operating>

export const Soak = z
  .strictObject({ rate: z.number(), held: Held })
  .describe('One rate that lasted for ten minutes or more, and its effects.')
export type Soak = z.infer<typeof Soak>
