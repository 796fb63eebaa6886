import { z } from 'zod'
import type { Request } from '../../scenarios/request.ts'
import { EditorsSeen } from './editors.ts'
import { SchedulesSeen } from './schedules.ts'
import type { Arrivals } from './load.ts'
import { LoadResult } from './load-result.ts'

/** One step of load: as it is planned, and as it was measured. */

/** Before the generator runs it. Seconds and requests a second. Never written down: its requests may hold secrets. */
export interface PlannedStep {
  url: string
  method: string
  /** The requests with their weights, where they are more than a method. */
  requests?: SentRequest[]
  /** All workflows with their weights, where several are called. */
  mix?: PlannedPart[]
  /** Rows of CSV files, by the table's number in a request. */
  tables?: Record<string, string>[][]
  timeout: number
  duration: number
  shape: Shape
  /** How requests arrive that do not wait for each other. */
  arrivals?: Arrivals
  /** Decides the moments of arrival: two loads with different seeds share none. */
  seed?: number
  /** A text in a header of each request, by which n8n's executions of this run are known. */
  mark?: string
}

/** How much load there is over the time of a step. */
type Shape = { kind: 'closed'; vus: number } | { kind: 'constant'; rate: number } | Course

/**
 * How the rate changes over time: the first rate, then each next rate with the seconds to reach it; and how many
 * requests come at once at the beginning.
 */
export interface Course {
  kind: 'course'
  from: number
  stages: { rate: number; seconds: number }[]
  waiting: number
}

/** One of several workflows that are called in a step. */
export interface PlannedPart {
  workflow: string
  /** Its id in n8n. */
  id: string
  url: string
  method: string
  requests?: SentRequest[]
  weight: number
}

/** A request with its full address. */
export type SentRequest = Omit<Request, 'path'> & { url: string }

/**
 * Seconds in which a generator opens its connections. That makes the first answers late, so they do not count for
 * latency.
 */
export const settling = (duration: number) => Math.min(2, duration / 10)

const count = z.int().min(0)

export const Quantiles = z.strictObject({ p50: z.number(), p95: z.number() })
export type Quantiles = z.infer<typeof Quantiles>

export const Times = z
  .strictObject({
    waited: Quantiles.describe('From its acceptance until a process began it; in queue mode, a worker.'),
    ran: Quantiles.describe('From its beginning to its end.'),
  })
  .describe('Milliseconds, of finished executions.')
export type Times = z.infer<typeof Times>

export const KeptHeap = z
  .strictObject({ process: z.string(), before: z.number(), after: z.number() })
  .describe('Bytes in the heap of a process after a full garbage collection, before the load and after it.')
export type KeptHeap = z.infer<typeof KeptHeap>

export const Silence = z.strictObject({ process: z.string(), seconds: z.number() })
export type Silence = z.infer<typeof Silence>

export const Accounting = z
  .strictObject({
    accepted: count,
    finished: z.int().nullable(),
    failed: count.nullable(),
    waiting: count.nullable().describe('Still under way when the wait for them ended.'),
    lost: count.nullable().describe('Will never finish: their process died, or n8n never began them.'),
    lostExecutions: z.array(z.string()).describe('Ids of lost executions, as far as n8n’s database names them.'),
    backlogGrowth: z
      .number()
      .nullable()
      .describe('Growth of executions under way during the step, as a share of those accepted.'),
    unknown: z
      .int()
      .optional()
      .describe('Ended, and n8n’s settings keep from the lab how. Absent where there are none.'),
    silent: z
      .array(Silence)
      .optional()
      .describe('The processes that answered no look for a while: what they had under way then is not known.'),
  })
  .describe('The outcome of the requests that n8n accepted; null where n8n was not asked.')
export type Accounting = z.infer<typeof Accounting>

export const Lateness = z
  .strictObject({
    workflow: z.string().optional().describe('One of several that were called at once; absent for all together.'),
    objective: z.enum(['p95', 'p99', 'p99.9']),
    allowed: z.number().describe('The share of answers that may be late.'),
    late: z.number(),
    of: z.number(),
  })
  .describe('Requests answered later than an objective, or not at all, among those that count for it.')
export type Lateness = z.infer<typeof Lateness>

const BottleneckCode = z.enum([
  'cpu-limit',
  'event-loop',
  'cores',
  'others',
  'heap',
  'redis',
  'execution-list',
  'database-disk',
  'database-pool',
  'concurrency',
  'runner-slots',
  'services',
  'unknown',
])

export const Bottleneck = z
  .strictObject({
    code: BottleneckCode,
    process: z.string().nullable().describe('Whose it is; null of what several share.'),
    what: z.string().describe('A short sentence: `The heap of main-0 was full.` Empty where it is unknown.'),
    advice: z.string().describe('What shows it, what to change, and what comes after it.'),
  })
  .describe('What ran out first while the load was on.')
export type Bottleneck = z.infer<typeof Bottleneck>

interface ReasonMeaning {
  /**
   * `missed`: n8n missed the objective. `spoiled`: the step says nothing of n8n, since something else was in the way.
   * `unknown`: n8n was measured, or started, and what it would have done is not known.
   */
  means: 'missed' | 'spoiled' | 'unknown'
  /** What would tell more: the same on a quiet machine, the same again, or a longer step. */
  remedy?: 'quiet' | 'again' | 'longer'
}

/** Causes come before their consequences: a killed process also answers late and with errors. */
const reasonCodes = {
  'never-ready': { means: 'unknown', remedy: 'again' },
  'oom-killed': { means: 'missed' },
  'heap-exhausted': { means: 'missed' },
  crashed: { means: 'missed' },
  'machine-busy': { means: 'spoiled', remedy: 'quiet' },
  'executions-lost': { means: 'missed' },
  'executions-failed': { means: 'missed' },
  'schedules-missed': { means: 'missed' },
  'stopped-by-errors': { means: 'missed' },
  'stopped-by-backlog': { means: 'missed' },
  'stopped-by-latency': { means: 'missed' },
  errors: { means: 'missed' },
  backlog: { means: 'missed' },
  latency: { means: 'missed' },
  silent: { means: 'unknown', remedy: 'again' },
  'generator-behind': { means: 'spoiled', remedy: 'again' },
  'too-short': { means: 'spoiled', remedy: 'longer' },
  'too-few': { means: 'spoiled', remedy: 'longer' },
  'nothing-held': { means: 'missed' },
} satisfies Record<string, ReasonMeaning>

export const ReasonCode = z.enum(Object.keys(reasonCodes) as (keyof typeof reasonCodes)[])
export type ReasonCode = z.infer<typeof ReasonCode>

/** Of an earlier or a later version, a code that is not known speaks against n8n. */
export const reasonMeaning = (code: string): ReasonMeaning =>
  Object.hasOwn(reasonCodes, code) ? reasonCodes[code as ReasonCode] : { means: 'missed' }

export const Reason = z.strictObject({
  code: ReasonCode,
  text: z.string().describe('The sentence, with its figures.'),
  advice: z.string().describe('What to change.'),
  bottleneck: Bottleneck.optional().describe(
    'What was in the way, of reasons that may have several. Absent in runs of earlier versions.',
  ),
})
export type Reason = z.infer<typeof Reason>

export const Verdict = z.strictObject({
  holds: z.boolean(),
  reasons: z.array(Reason),
  lateness: z
    .array(Lateness)
    .optional()
    .describe('For each objective: how many answers were late. Absent where their distribution is unknown.'),
})
export type Verdict = z.infer<typeof Verdict>

/** As it was measured. */
export const Step = z.strictObject({
  repeat: z.int(),
  turn: z
    .int()
    .optional()
    .describe('Of variants that are loaded in turns: which turn; those of the same number are compared.'),
  purpose: z
    .enum(['warm-up', 'measure', 'full'])
    .describe(
      'A warm-up informs the search and is never a result. Full: as many clients as keep n8n busy wait for their '
        + 'answers, to see its throughput and its CPU for each execution; it never decides a verdict.',
    ),
  confirms: z
    .literal(true)
    .optional()
    .describe('The last of a search, which drives the rate that was found for longer; absent of others.'),
  load: LoadResult,
  accounting: Accounting,
  parts: z
    .array(z.strictObject({ workflow: z.string(), finished: count }))
    .optional()
    .describe('Executions that each of several workflows finished; absent where n8n’s database does not say.'),
  times: Times.nullable().describe('How long its executions waited and ran; null where n8n’s database does not say.'),
  keptHeaps: z
    .array(KeptHeap)
    .optional()
    .describe('Of a step that lasts for minutes; absent where the lab cannot look into the processes.'),
  editors: EditorsSeen.optional().describe('Absent where none were open.'),
  schedules: SchedulesSeen.optional().describe('Absent where none were asked for.'),
  spread: z.record(z.string(), z.number()).describe('Requests that each process answered, by its own count.'),
  ...Verdict.shape,
})
export type Step = z.infer<typeof Step>

export const DatabaseSize = z.strictObject({
  bytes: z.number(),
  kept: z.number().describe('Executions that it keeps: those that n8n has marked for deletion do not count.'),
  transactions: z.number().nullable().describe('Since it started; null where the database does not count them.'),
})
export type DatabaseSize = z.infer<typeof DatabaseSize>

/** A rate that was held after a search, to confirm it. */
export const HeldStep = Step.extend({
  share: z.number().describe('Of the safe rate.'),
  database: z
    .strictObject({ before: DatabaseSize, after: DatabaseSize })
    .nullable()
    .describe('Before the load and after it; null where n8n’s database does not say.'),
})
export type HeldStep = z.infer<typeof HeldStep>
