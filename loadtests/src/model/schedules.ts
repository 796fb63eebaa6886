import { z } from 'zod'

const milliseconds = z.number().nullable()

/** What n8n's database says of scheduled workflows that ran beside the load of a step. */
export const SchedulesSeen = z
  .strictObject({
    copies: z.int().describe('Workflows that were due at each of these seconds.'),
    due: z.int().describe('Seconds at which they were due during the load.'),
    ran: z.int().describe('Runs that began, each workflow and due second once.'),
    missed: z.int().describe('Runs that were due, and of which there is no execution.'),
    double: z.int().describe('Executions beside the first of a run.'),
    failed: z.int().describe('Runs that ended in an error, or died with their process.'),
    open: z.int().describe('Runs that had not ended when the lab looked.'),
    late: z
      .strictObject({ p50: milliseconds, p95: milliseconds, max: milliseconds })
      .describe('From the due second to the end of a run. Null where none ended.'),
    callers: z
      .strictObject({ beside: milliseconds, otherwise: milliseconds })
      .describe('The p95 of executions that callers began while scheduled runs were under way, and at other times.'),
  })
  .describe('What scheduled workflows did beside the load, by n8n’s own database.')
export type SchedulesSeen = z.infer<typeof SchedulesSeen>

/** The scheduled workflows of an experiment: each copy has its own id, and all are due at the same second. */
export const Schedules = z
  .strictObject({
    workflows: z.array(z.string()).describe('The workflows with a schedule.'),
    copies: z.int().positive().describe('Of each.'),
  })
  .describe('Scheduled workflows that run beside the load, each at second 0 of every minute.')
export type Schedules = z.infer<typeof Schedules>

/** n8n plans so many in time; more would be a test of its planner alone. */
export const mostCopies = 2000
