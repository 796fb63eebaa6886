import { z } from 'zod'
import { Bridge } from './bridge.ts'
import { EditorsCost } from './editors.ts'
import { SchedulesSeen } from './schedules.ts'
import { Estimate } from './estimate.ts'
import { Exit } from './event.ts'
import { Explanation } from './explanation.ts'
import { Values } from './experiment.ts'
import { SeededHistory } from './history.ts'
import { Operating, Soak } from './operating.ts'
import { OutsideCount } from './outside.ts'
import { Accounting, Lateness, Reason, Step, Verdict } from './step.ts'
import { TierInForce } from './tier.ts'

/** How much of a workflow ran, as its first execution shows it: figures say nothing about the rest. */
export const Realism = z.strictObject({
  workflow: z.string(),
  nodes: z.int().describe('Those that the triggers lead to, with their models, tools and parsers.'),
  ran: z.int(),
  untaken: z.array(z.string()).describe('Branches that were not taken: a node, and the next one.'),
  ended: z.boolean().describe('Whether the last node of the main path ran: if not, it is partly measured.'),
  path: z
    .strictObject({
      nodes: z.int().describe('With their models and parsers, and without tools, which a model may call or not.'),
      ran: z.int(),
      end: z.string().nullable().describe('The last node.'),
      branches: z.array(z.string()).describe('Where it has a choice: a node, and the next one.'),
    })
    .optional()
    .describe('The main path: of several branches, those that lead to the most nodes. Absent in earlier runs.'),
  bridged: z.array(Bridge).optional().describe('Nodes that did not run as they are; absent where all did.'),
  first: z
    .strictObject({ took: z.number(), services: z.number().describe('Of it, waiting for services.') })
    .optional()
    .describe('Milliseconds until the first execution could answer; absent where it answers at once, or is unknown.'),
})
export type Realism = z.infer<typeof Realism>

/** The result of one variant under one workflow in one cell of the matrix. */

export const Capacity = z.strictObject({
  rate: z.number().describe('The highest rate that held: median over the repeats.'),
  spread: z.number().nullable().describe('(highest − lowest) ÷ median over the repeats; null for a single one.'),
  interval: z
    .strictObject({ low: z.number(), high: z.number().nullable() })
    .nullable()
    .optional()
    .describe(
      'The range of the capacity. One repeat: between the rates that surely held and surely broke. Several: right 19 '
        + 'times in 20. Null where unknown; `high` is null where nothing broke. Absent in runs of earlier versions.',
    ),
  repeats: z.array(z.number()),
  brokeAt: z.number().nullable().describe('The lowest rate that did not hold; null where every rate held.'),
  p95: z.number().nullable().describe('95th percentile of latency, median over the repeats.'),
  p95At: z.number().optional().describe('Of a search: the rate at which it was measured, the nearest one that was.'),
  accounting: Accounting.describe('The outcome of the requests in the steps that the rate rests on.'),
  estimate: Estimate.optional().describe('Absent without a search.'),
})
export type Capacity = z.infer<typeof Capacity>

const Failure = z.strictObject({ code: z.string(), message: z.string(), log: z.array(z.string()) })

export const ResultReason = z
  .union([
    Reason,
    z.strictObject({ code: z.literal('nothing-held'), lowest: z.number() }),
    z.strictObject({ code: z.literal('never-ready'), failure: Failure.omit({ log: true }) }),
  ])
  .describe('Of one of its steps, as it was recorded; or of the whole, by its figures.')
export type ResultReason = z.infer<typeof ResultReason>

export const ResultVerdict = z
  .strictObject({
    holds: Verdict.shape.holds,
    reasons: z.array(ResultReason),
    at: z.number().nullable().describe('The rate at which that happened; null for closed shapes.'),
    unsure: z
      .array(Lateness)
      .optional()
      .describe('At a given load: the answers that decide, where chance alone may have decided the verdict.'),
  })
  .describe(
    'Of a result that holds: what broke first above its capacity, none where nothing broke. Otherwise: why it does not '
      + 'hold. Causes come before their consequences.',
  )
export type ResultVerdict = z.infer<typeof ResultVerdict>

export const Limit = z.strictObject({
  cpu: z.number().nullable().describe('Cores.'),
  memory: z.number().nullable().describe('Bytes.'),
})
export type Limit = z.infer<typeof Limit>

const meanAndMax = z.strictObject({ mean: z.number(), max: z.number() }).nullable()

export const Resources = z
  .strictObject({
    process: z.string(),
    cpu: meanAndMax,
    rss: meanAndMax,
    heapUsed: z.strictObject({ max: z.number() }).nullable(),
    requests: z.number().nullable().describe('That it answered, by its own count; null where it receives none.'),
    limit: Limit,
  })
  .describe('One process, over the measured steps of a result.')
export type Resources = z.infer<typeof Resources>

export const ResultExit = Exit.omit({ log: true }).extend({ process: z.string(), at: z.number() })
export type ResultExit = z.infer<typeof ResultExit>

export const TurnFigures = z
  .strictObject({
    repeat: z.int(),
    turn: z.int(),
    at: z.number().describe('Its middle, in epoch milliseconds.'),
    before: z.int().describe('What n8n had executed since its start.'),
    executed: z.int().describe('In this turn.'),
    throughput: z.number().nullable().describe('Executions a second when full; null at a given load.'),
    cpu: z.number().nullable().describe('CPU seconds of an execution, of all processes; null where unknown.'),
  })
  .describe('One turn of a variant that others took turns with.')
export type TurnFigures = z.infer<typeof TurnFigures>

export const Result = z.strictObject({
  variant: z.string(),
  workflow: z.string(),
  cell: Values.describe('The cell’s dotted Helm values; empty without a matrix.'),
  values: Values.describe('All Helm values that made it.'),
  cost: z
    .number()
    .nullable()
    .describe('Of its CPU and memory limits, all replicas, at the experiment’s price; null where one has no limit.'),
  tier: TierInForce.nullable().describe('Null where n8n does not run by the chart, and in runs of earlier versions.'),
  capacity: Capacity.nullable(),
  operating: Operating.optional().describe('What to run it at; absent where no search found a capacity.'),
  soak: Soak.optional(),
  steps: z.array(Step),
  verdict: ResultVerdict,
  resources: z.array(Resources),
  peaks: z
    .array(z.number().nullable())
    .describe('The most memory of all processes together, for each repeat, in bytes; null where it was not seen.'),
  cpuPerRequest: z
    .array(z.number().nullable())
    .describe('CPU seconds of all processes for each accepted request, for each repeat; null where unknown.'),
  turns: z.array(TurnFigures).optional().describe('Of variants that were loaded in turns; absent of others.'),
  waiting: meanAndMax.describe(
    'Jobs that waited for a worker, under load; null in regular mode, and where the lab could not ask the queue.',
  ),
  exits: z.array(ResultExit),
  failure: Failure.nullable().describe('Why it could not be measured at all, with the last lines of n8n’s log.'),
  outside: OutsideCount.optional().describe('What its workflows called; absent where no mock answered.'),
  editors: EditorsCost.optional().describe('Absent where none were open.'),
  schedules: SchedulesSeen.optional().describe('Over all measured steps; absent where none were asked for.'),
  history: SeededHistory.optional().describe('Absent where none was asked for.'),
  realism: z.array(Realism).optional().describe('How much of its workflows ran; absent where nobody looked.'),
  explanation: Explanation.nullable().describe('Where its CPU time went; null if the run did not ask.'),
})
export type Result = z.infer<typeof Result>

/** With the words of all reasons. */
export const WrittenResult = Result.extend({
  verdict: ResultVerdict.extend({ reasons: Verdict.shape.reasons }).describe(ResultVerdict.description!),
})

/** What tells results of a run apart; a part that is left out tells none apart. */
interface Coordinates {
  variant?: string
  workflow?: string
  cell?: Values
}

/** The same for the same variant, workflow and cell of the matrix. */
export const cellKey = ({ variant, workflow, cell }: Coordinates): string => JSON.stringify([variant, workflow, cell])

/** Whether both are of one cell of the matrix, whatever their variant and workflow. */
export const inSameCell = (a: { cell: Values }, b: { cell: Values }): boolean =>
  cellKey({ cell: a.cell }) === cellKey({ cell: b.cell })
