import { z } from 'zod'
import { Environment, SetAside } from './environment.ts'
import { WithoutEditors } from './editors.ts'
import { TargetEvent } from './event.ts'
import { ExplainedByArea, ExplainedProcess } from './explanation.ts'
import { Experiment, usualPrice, Values } from './experiment.ts'
import { FaultEffects, MissingEffects } from './fault.ts'
import { GateAsked } from './gate.ts'
import { SeededHistory } from './history.ts'
import { Limit, Realism } from './result.ts'
import { OutsideCount } from './outside.ts'
import { DatabaseSample, QueueSample, Sample } from './sample.ts'
import { Samples } from './samples.ts'
import { HeldStep, Step } from './step.ts'
import { PatchState, Tier } from './tier.ts'
import { Warning } from './warning.ts'

/** The lines of run.ndjson, in the order of the events. */

const at = z.number().describe('Epoch milliseconds.')
const cell = z.int()

/** What every line of a cell has. */
const ofCell = { at, cell }

const line = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), ...shape })

export const RunRecord = z.discriminatedUnion('type', [
  line('run', {
    schema: z.literal(1),
    at,
    id: z.string(),
    command: z.string(),
    experiment: Experiment,
    environment: Environment,
  }),
  line('set-aside', { at, values: z.array(SetAside) }),
  line('gate', { at, ...GateAsked.shape }),
  line('calibration', { at, rate: z.number(), p95: z.number(), most: z.number().optional() }),
  line('cell', {
    ...ofCell,
    variant: z.string(),
    workflow: z.string(),
    matrix: Values,
    values: Values,
    limits: z.record(z.string(), Limit),
    cost: z.number().nullable(),
    tier: Tier.nullable(),
  }),
  /** What one of its processes reports about the patches that it was asked to apply. */
  line('patches', { ...ofCell, process: z.string(), patches: z.array(PatchState) }),
  /** What its database held before the load, where that was asked for. */
  line('history', { ...ofCell, ...SeededHistory.shape }),
  /** The load before its editors were opened, where some are. */
  line('without-editors', { ...ofCell, ...WithoutEditors.shape }),
  /** One by one as they are taken, and in records of earlier versions. */
  line('sample', { ...Sample.shape, cell }),
  /** Those since the cell was opened: in the file, rows of numbers, about a second in each line. */
  line('samples', { ...ofCell, samples: z.instanceof(Samples) }),
  line('queue', { ...QueueSample.shape, cell }),
  line('database', { ...DatabaseSample.shape, cell }),
  line('event', { ...TargetEvent.shape, cell }),
  line('step', { ...Step.shape, ...ofCell }),
  /** A rate that was held after the search, to confirm it. */
  line('held', { ...HeldStep.shape, ...ofCell }),
  /** What each n8n process did in a separate step, whose raw profiles are in `profiles`. */
  line('explained', {
    ...ofCell,
    rate: z.number().nullable(),
    processes: z.array(z.union([ExplainedProcess, ExplainedByArea])),
  }),
  /** The calls of its workflows to the outside, over all steps. */
  line('outside', { ...OutsideCount.shape, ...ofCell }),
  /** How much of its workflows their first executions ran. */
  line('rehearsed', { ...ofCell, workflows: z.array(Realism) }),
  /** A fault under a steady load, and the outcome of every request. */
  line('fault', { ...FaultEffects.shape, ...ofCell }),
  /** A fault whose effects are not known, such as one that did not begin. */
  line('fault-untold', { ...MissingEffects.shape, ...ofCell }),
  /** A cell that could not be measured at all. */
  line('cell-failed', { ...ofCell, code: z.string(), message: z.string(), log: z.array(z.string()) }),
  /** A cell is finished: measured as far as planned, or not measurable. A continued run goes on after it. */
  line('visited', { ...ofCell, repeat: z.int() }),
  line('warning', { at, warning: Warning }),
  /** `lab`: cores that the lab itself used while it measured. */
  line('end', { at, outcome: z.enum(['complete', 'interrupted', 'failed']), lab: z.number().nullable().optional() }),
])
export type RunRecord = z.infer<typeof RunRecord>

export type RecordOf<Type extends RunRecord['type']> = Extract<RunRecord, { type: Type }>

/** A line as this version writes it: those of earlier versions lack what was not known then. */
export function upgraded(line: { type: string }): RunRecord {
  const record = line as RunRecord
  if (record.type === 'run') {
    const { experiment, environment } = record
    return {
      ...record,
      experiment: { ...experiment, price: experiment.price ?? usualPrice },
      environment: { ...environment, engine: environment.engine ?? null, lab: environment.lab ?? null },
    }
  }
  if (record.type === 'step') return { ...record, times: record.times ?? null, spread: record.spread ?? {} }
  if (record.type === 'cell') return { ...record, cost: record.cost ?? null, tier: record.tier ?? null }
  if (record.type === 'warning' && 'text' in line) return { type: 'warning', at: record.at, warning: String(line.text) }
  return record
}
