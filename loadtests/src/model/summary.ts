import { z } from 'zod'
import { Answer } from './answer.ts'
import { Environment, SetAside, WrittenEnvironment } from './environment.ts'
import { Experiment, Values } from './experiment.ts'
import { FaultResult, MissingResult } from './fault.ts'
import { Fleet } from './fleet.ts'
import { Gate, WrittenGate } from './gate.ts'
import { Result, WrittenResult } from './result.ts'
import { ScalingResult, WrittenScaling } from './scaling.ts'

/** summary.json: everything a reader or a program needs of a finished run, derived from run.ndjson alone. */

const Sides = z
  .strictObject({
    own: z.number(),
    other: z.number(),
    rounds: z.int().describe('Those that both sustained.'),
    of: z.int().describe('All rounds.'),
  })
  .describe('Medians of both over the rounds that both sustained: CPU seconds of a request, milliseconds, or bytes.')
export type Sides = z.infer<typeof Sides>

export const Worth = z
  .strictObject({
    workflow: z.string(),
    setting: z.string(),
    measure: z
      .enum(['capacity', 'cpu', 'p95', 'memory'])
      .describe('A search compares capacities. At a given load, which all of them sustain, the cost is compared.'),
    share: z
      .number()
      .nullable()
      .describe(
        'What the setting improves, as a share of the figure without it: more capacity, or a lower cost; null where '
          + 'the measurements do not decide it.',
      ),
    within: z.number().nullable().describe('The ± of that share, right 19 times in 20; null with one run.'),
    finding: z
      .enum(['better', 'worse', 'same', 'unsure'])
      .nullable()
      .optional()
      .describe(
        'All settings judged together: same is no difference beyond 5 %. Null where nothing was measured, absent in '
          + 'runs of earlier versions.',
      ),
    sides: Sides.nullable().describe('With the setting, and without it; null of capacities, and where unknown.'),
  })
  .describe('What one setting is worth under one workflow.')
export type Worth = z.infer<typeof Worth>

export const Ratio = z
  .strictObject({ low: z.number(), ratio: z.number(), high: z.number() })
  .describe('Of the variant ÷ that of the baseline, and its range, right 19 times in 20.')
export type Ratio = z.infer<typeof Ratio>

export const Comparison = z
  .strictObject({
    workflow: z.string(),
    cell: Values,
    baseline: z.string(),
    variant: z.string(),
    capacity: Ratio.optional().describe('Within the objective; absent where either has none, or an end of it is open.'),
    follows: z
      .boolean()
      .optional()
      .describe('The ratio of the capacities follows from what both did when they were full, in turns.'),
    throughput: Ratio.optional().describe('When full, in turns of the two; absent where they were not loaded so.'),
    cpu: Ratio.optional().describe('CPU for each execution, in turns of the two; as above.'),
    finding: z
      .enum(['better', 'worse', 'same', 'unsure'])
      .optional()
      .describe('By the ranges alone: same is no difference beyond 5 %. Absent where either sustains nothing.'),
    by: z
      .enum(['capacity', 'throughput', 'cpu'])
      .optional()
      .describe('What shows that it is better or worse; absent of other findings.'),
    takes: z
      .array(
        z.strictObject({
          measure: z.enum(['cpu', 'p95', 'memory']),
          share: z.number(),
          within: z.number().nullable(),
          finding: z.enum(['more', 'less', 'same', 'unsure']),
          sides: Sides,
        }),
      )
      .optional()
      .describe(
        'The extra cost of the same load for the variant, as a share, and its ± (null with one round); only of '
          + 'variants that get the same load.',
      ),
  })
  .describe('Two variants under the same workflow and cell.')
export type Comparison = z.infer<typeof Comparison>

export const FleetOf = Fleet.extend({ variant: z.string(), workflow: z.string(), tag: z.string().nullable() })
export type FleetOf = z.infer<typeof FleetOf>

export const Recommendation = z.strictObject({
  variant: z.string(),
  cell: Values,
  values: Values,
  why: z.string().optional().describe('Only of earlier versions: the answer has the figures.'),
})
export type Recommendation = z.infer<typeof Recommendation>

const moment = z.string().meta({ format: 'date-time' })

export const Summary = z
  .strictObject({
    schema: z.literal(1),
    id: z.string(),
    command: z.string().describe('What was typed.'),
    startedAt: moment,
    endedAt: moment.nullable().describe('Null where the run did not end by itself.'),
    outcome: z.enum(['complete', 'interrupted', 'failed']).describe('The last two hold what was measured until then.'),
    experiment: Experiment,
    environment: Environment,
    setAside: z
      .array(SetAside)
      .optional()
      .describe('What of the user’s values the run did not have, so as to reach nothing of theirs.'),
    results: z.array(Result),
    comparison: z.array(Comparison),
    worth: z.array(Worth).describe('Of a run that left settings out one at a time.'),
    scaling: z.array(ScalingResult).describe('One for every matrix with several numbers of replicas.'),
    fleets: z
      .array(FleetOf)
      .optional()
      .describe('What a capacity model needs, of each n8n in queue mode; absent where no steps tell it.'),
    gate: Gate.nullable().describe('Whether anything got worse; null if the run did not ask.'),
    faults: z.array(FaultResult).optional().describe('What each fault did; absent where there was none.'),
    untold: z.array(MissingResult).optional().describe('The faults whose effects are not known.'),
    recommendation: Recommendation.nullable(),
    answer: Answer,
  })
  .describe('Everything a reader or a program needs of a finished run. Derived from run.ndjson alone.')
export type Summary = z.infer<typeof Summary>

/** With the words that are made of its codes and figures. */

export const WrittenWorth = Worth.extend({ text: z.string() }).describe(Worth.description!)

export const WrittenComparison = Comparison.extend({
  text: z.string().describe('The whole sentence.'),
}).describe(Comparison.description!)

export const WrittenSummary = Summary.extend({
  environment: WrittenEnvironment,
  results: z.array(WrittenResult),
  comparison: z.array(WrittenComparison),
  worth: z.array(WrittenWorth).describe(Summary.shape.worth.description!),
  scaling: z.array(WrittenScaling).describe(Summary.shape.scaling.description!),
  gate: WrittenGate.nullable().describe(Summary.shape.gate.description!),
}).describe(Summary.description!)
export type WrittenSummary = z.infer<typeof WrittenSummary>
