import { z } from 'zod'
import { Arrivals } from './load.ts'

/** What the load generator saw in one step. Times are epoch milliseconds, latencies milliseconds. */

const count = z.int().min(0)
const orUnknown = z.number().nullable()

export const Latency = z.strictObject({
  mean: z.number(),
  p50: z.number(),
  p90: z.number(),
  p95: z.number(),
  p99: z.number(),
  'p99.9': z.number().optional().describe('Absent in runs of earlier versions.'),
  max: z.number(),
})
export type Latency = z.infer<typeof Latency>

const distribution = z
  .string()
  .optional()
  .describe('How long callers waited, as an HdrHistogram. Absent without an answer, and in runs of earlier versions.')

/** One of several workflows that were called at once. */
const LoadPart = z.strictObject({
  workflow: z.string(),
  accepted: count,
  failed: count,
  latency: Latency.nullable(),
  distribution,
})

export const LoadResult = z.strictObject({
  shape: z.enum(['closed', 'constant', 'course']),
  rate: orUnknown.describe('Requests a second that were asked for, of a course the most; null for clients that wait.'),
  vus: z.number().nullable().describe('Clients that wait for their answers; null for a rate.'),
  startedAt: z.number().describe('Epoch milliseconds.'),
  endedAt: z.number(),
  requests: count.describe('Requests that were due, until the load ended.'),
  planned: count
    .optional()
    .describe(
      'Requests that the whole load was to send; of clients that wait, at the rate of those that they sent. Absent '
        + 'where the load was ended before its time for a reason, and in runs of earlier versions.',
    ),
  accepted: count.describe('Answers that are as they should be: what n8n accepted.'),
  failures: z
    .record(z.string(), count)
    .describe('All others, by what came instead: a status, refused, timeout, reset; unsent where no client was free.'),
  stopped: z
    .enum(['latency', 'backlog'])
    .optional()
    .describe('Why a load on somebody else’s n8n ended before its time; absent where it did not, or by errors.'),
  dropped: count.describe(
    'Requests that were due and never sent; they count as failed. In runs of earlier versions they counted nowhere.',
  ),
  arrivals: Arrivals.optional().describe('Of an open load; absent in runs of earlier versions.'),
  seed: z.int().optional().describe('It and the number of senders give the moment of each request. Absent as above.'),
  senders: z.int().optional().describe('Clients of the generator that shared the requests. Absent as above.'),
  lag: z
    .strictObject({ p95: z.number(), p99: z.number(), 'p99.9': z.number().optional() })
    .nullable()
    .optional()
    .describe(
      'Milliseconds by which the generator itself sent late, with a client that only waited for the moment; null where '
        + 'no client ever waited. Absent as above.',
    ),
  throughput: z.number().describe('Accepted requests a second over the step.'),
  latency: Latency.nullable(),
  distribution,
  parts: z.array(LoadPart).optional().describe('Each of several workflows; absent with one.'),
  coresBusy: orUnknown
    .optional()
    .describe(
      'The share of the generator’s cores that was busy, whatever ran on them; null where the system does not say.',
    ),
  generatorCpu: orUnknown.describe('The share of its own cores that the generator used, in its busiest second.'),
})
export type LoadResult = z.infer<typeof LoadResult>
