import { z } from 'zod'

/** What a search says of one n8n under one workflow: all of its steps fitted together. Rates are requests a second. */

export const Range = z.strictObject({ low: z.number(), high: z.number() }).describe('Right 19 times in 20.')
export type Range = z.infer<typeof Range>

export const Sign = z.enum([
  'misfit',
  'pauses',
  'answers-before-work',
  'death',
  'cold',
  'waits',
  'not-cpu',
  'machine-changed',
  'long-request',
  'few-answers',
])
/**
 * What widens the interval, or takes the model away.
 *
 * - `misfit`: the latencies are not those of a queue.
 * - `pauses`: late answers come from pauses as long as the objective, hardly from the rate.
 * - `answers-before-work`: requests are answered before their work is done, so that latency says nothing of it.
 * - `death`: a process ended under the load, for example at its memory limit.
 * - `cold`: n8n still got faster when it was full for the last time, so it would sustain more once it is warm.
 * - `waits`: much of the objective goes by while n8n waits for services, which are uneven in ways of their own.
 * - `not-cpu`: something other than the CPU is full first.
 * - `machine-changed`: the CPU time of an execution changed from step to step.
 * - `long-request`: one request alone takes a quarter of the objective or more.
 * - `few-answers`: no step had enough answers to fit.
 */
export type Sign = z.infer<typeof Sign>

export const Estimate = z
  .strictObject({
    capacity: Range.extend({ rate: z.number() }).describe('The rate that just meets the objective.'),
    safe: z
      .strictObject({ rate: z.number(), chance: z.number() })
      .describe('The rate to run at: it meets the objective with this chance, in this run and in others.'),
    demand: Range.extend({ cpu: z.number() }).nullable().describe('CPU seconds of an execution, of all processes.'),
    throughput: z.number().nullable().describe('What it finishes when it is full.'),
    cores: z.number().nullable().describe('Cores in use when it is full.'),
    share: z.number().nullable().describe('Capacity ÷ throughput when full.'),
    basis: z
      .enum(['model', 'steps'])
      .describe(
        '`steps`: the model does not fit, or its capacity is far beyond what was tried. '
          + 'The interval rests on which steps held.',
      ),
    cold: z
      .int()
      .optional()
      .describe('Of an n8n that still got faster: what it had executed by then. About as many more make it warm.'),
    signs: z.array(Sign).describe('What widens the interval, or takes the model away.'),
  })
  .describe('From all steps of a search fitted together: CPU time, latencies, and the moments of the requests.')
export type Estimate = z.infer<typeof Estimate>
