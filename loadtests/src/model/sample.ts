import { z } from 'zod'

/** One look at one container, about once a second, and what it shows. Missing figures are null, never 0. */

const figure = z.number().nullable()

export const Pool = z.strictObject({
  active: z.number(),
  waiting: z.number().describe('Requests that wait for a connection.'),
  max: z.number(),
})
export type Pool = z.infer<typeof Pool>

export const Executions = z.strictObject({ started: z.number(), succeeded: z.number(), failed: z.number() })
export type Executions = z.infer<typeof Executions>

export const Sample = z.strictObject({
  at: z.number(),
  process: z.string().describe('main-0, worker-1, …'),
  cpu: figure.describe('Cores in use since the previous sample.'),
  rss: figure.describe('Resident memory of all processes in the container, bytes.'),
  pids: z.number().describe('Number of processes in the container.'),
  heapUsed: figure,
  heapTotal: figure,
  external: figure,
  lag: figure.describe('Event-loop lag, milliseconds (99th percentile as the process reports it).'),
  executions: Executions.nullable().describe('Since the first start of the process, over its restarts.'),
  throttled: z
    .number()
    .optional()
    .describe('The share of its CPU periods in which its limit stopped it. Absent where the system does not say.'),
  loop: z
    .strictObject({ ran: z.number(), waited: z.number() })
    .optional()
    .describe('The shares of the time that the thread of its event loop ran and waited for a core. As above.'),
  pool: Pool.optional().describe('Its connections to the database, by its own count. Absent where it does not say.'),
  files: z.number().optional().describe('Its open files, pipes and connections, by its own count. As above.'),
  silent: z.literal(true).optional().describe('It has metrics, and did not give them in time.'),
})
export type Sample = z.infer<typeof Sample>

/** One look at n8n's queue. */
export const QueueSample = z.strictObject({
  at: z.number(),
  waiting: z.number().describe('Jobs that wait for a worker.'),
  active: z.number().describe('Jobs that a worker runs.'),
  took: z.number().optional().describe('Milliseconds until Redis answered; absent in runs of earlier versions.'),
  keys: z.number().optional().describe('The keys in Redis; as above.'),
  commands: z.number().optional().describe('That Redis ran since it started; absent where it does not say.'),
})
export type QueueSample = z.infer<typeof QueueSample>

/** One look at what n8n's connections do in its database. */
export const DatabaseSample = z.strictObject({
  at: z.number(),
  active: z.number(),
  onDisk: z.number().describe('How many of them wait for its disk.'),
  lists: z.number().optional().describe('How many of them read the editor’s list of executions. As below.'),
  transactions: z.number().optional().describe('Since it started; absent in runs of earlier versions.'),
  written: z.number().optional().describe('Bytes in its journal so far; absent where it does not say.'),
})
export type DatabaseSample = z.infer<typeof DatabaseSample>
