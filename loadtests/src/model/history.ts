import { z } from 'zod'

/** What n8n's database holds before the first load of a run that asked for a history. */
export const SeededHistory = z.strictObject({
  executions: z.int().describe('Those that n8n’s lists show, with the few that it ran itself.'),
  bytes: z.number().describe('Of the whole database.'),
  hours: z.number().describe('The age of the oldest.'),
  took: z.number().describe('Seconds until they were there.'),
})
export type SeededHistory = z.infer<typeof SeededHistory>
