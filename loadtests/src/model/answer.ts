import { z } from 'zod'
import { Values } from './experiment.ts'
import { ReasonCode } from './step.ts'

/**
 * The one answer of a run. Exit code, terminal, report, Markdown, index, hook, values, NOTES and alerts are made from
 * it: codes and figures here, words where they are printed.
 */

export const Question = z.strictObject({
  kind: z.enum(['capacity', 'rate', 'comparison', 'worth', 'gate', 'load']),
  rate: z.number().nullable().describe('Requests a second that were asked for; null where none were.'),
})
export type Question = z.infer<typeof Question>

export const Answered = z
  .enum(['met', 'missed', 'measured', 'unsure', 'not-measured'])
  .describe(
    'Met and missed answer a rate, a load or a bound that was asked for. Measured: none was, and the figure is known. '
      + 'Unsure: the evidence does not decide it. Not measured: something else than n8n was in the way.',
  )
export type Answered = z.infer<typeof Answered>

/** What was asked is answered, and nothing is against it. */
export const isFine = (answered: Answered): boolean => answered === 'met' || answered === 'measured'

/** What decides an answer that is not met, besides what a step fails for. */
export const Why = z.enum([
  ...ReasonCode.options,
  'too-little',
  'not-held',
  'worse',
  'fault-cost',
  'chance',
  'in-the-interval',
  'hold-too-short',
  'path-not-run',
  'no-clear-difference',
  'worth-open',
  'gate-open',
  'interrupted',
  'not-reached',
  'objective-cannot-hold',
  'machine-changed',
  'not-warm',
  'machines-differ',
  'fault-unknown',
])
export type Why = z.infer<typeof Why>

export const Cause = z
  .strictObject({
    code: z.enum([
      'one-core',
      'cpu-limit',
      'cores',
      'postgresql',
      'execution-list',
      'connections',
      'redis',
      'services',
      'memory',
      'pauses',
      'slots',
      'runner',
      'generator',
      'machine',
      'unknown',
    ]),
    process: z.string().nullable(),
    at: z.number().nullable().describe('The rate at which it was seen.'),
    cpu: z.number().nullable().describe('CPU seconds of an execution.'),
    most: z.number().nullable().describe('Executions a second when it is full.'),
    share: z.number().nullable().describe('Of that: where the objective ends.'),
    waited: z.number().nullable().describe('Milliseconds that an execution waits for services.'),
  })
  .describe('What limits a configuration.')
export type Cause = z.infer<typeof Cause>

export const ConfigurationAnswer = z.strictObject({
  variant: z.string(),
  workflow: z.string(),
  cell: Values,
  chosen: z.boolean().describe('The one that is told of first, of its workflow.'),
  answered: Answered,
  why: Why.nullable(),
  capacity: z
    .strictObject({
      rate: z.number(),
      low: z.number().nullable(),
      high: z.number().nullable(),
      basis: z.enum(['model', 'steps']),
    })
    .nullable()
    .describe('The rate that just meets the objective, right 19 times in 20 between low and high; null where unknown.'),
  safe: z
    .strictObject({ rate: z.number(), chance: z.number() })
    .nullable()
    .describe('The rate to run at: the objective holds there with this chance.'),
  limit: Cause.nullable(),
  ratio: z
    .strictObject({
      baseline: z.string(),
      ratio: z.number().nullable(),
      low: z.number().nullable(),
      high: z.number().nullable(),
      finding: z.enum(['better', 'worse', 'same', 'unsure']),
      by: z.enum(['capacity', 'throughput', 'cpu']).nullable(),
    })
    .nullable()
    .describe('Against the baseline, by the measure that shows most; null of the baseline.'),
  objective: z.number().nullable().describe('Milliseconds of p95 that would fit, where the one asked for cannot hold.'),
})
export type ConfigurationAnswer = z.infer<typeof ConfigurationAnswer>

export const Answer = z
  .strictObject({
    question: Question,
    answered: Answered,
    why: Why.nullable().describe('Null where it is met.'),
    configurations: z.array(ConfigurationAnswer),
    missing: z
      .array(z.strictObject({ variant: z.string(), workflow: z.string(), cell: Values, why: Why }))
      .describe('What was not measured.'),
    next: z
      .string()
      .nullable()
      .describe('The command that would decide it, or which is better, or measure it; null where nothing is open.'),
  })
  .describe('The one answer of a run.')
export type Answer = z.infer<typeof Answer>
