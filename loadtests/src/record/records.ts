import type { HeldStep } from '../analyse/operating.ts'
import type { Environment, ExplainedProcess, GateOrder, Resources, Step } from '../analyse/summary.ts'
import type { Tier } from '../chart/plan.ts'
import type { Endured } from '../fault/endure.ts'
import type { PatchState } from '../observe/patches.ts'
import type { Sample } from '../observe/sample.ts'
import type { QueueSample } from '../observe/watch-queue.ts'
import type { Experiment, Values } from '../profile/experiment.ts'
import type { OutsideCount } from '../target/outside.ts'
import type { TargetEvent } from '../target/target.ts'

/** The lines of run.ndjson, in the order in which things happened. */
export type RunRecord =
  | {
      type: 'run'
      schema: 1
      at: number
      id: string
      command: string
      experiment: Experiment
      environment: Environment
    }
  | ({ type: 'gate'; at: number } & GateOrder)
  | { type: 'calibration'; at: number; rate: number; p95: number }
  | {
      type: 'cell'
      at: number
      cell: number
      variant: string
      workflow: string
      matrix: Values
      values: Values
      limits: Record<string, Resources['limit']>
      cost: number | null
      tier?: Tier | null
    }
  /** What one of its processes says of the patches it was asked to apply. */
  | { type: 'patches'; at: number; cell: number; process: string; patches: PatchState[] }
  | ({ type: 'sample'; cell: number } & Sample)
  | ({ type: 'queue'; cell: number } & QueueSample)
  | ({ type: 'event'; cell: number } & TargetEvent)
  | ({ type: 'step'; cell: number; at: number } & Step)
  /** A rate that was held after the search, to confirm it. */
  | ({ type: 'held'; cell: number; at: number } & HeldStep)
  /** What each n8n process did in a step of its own, whose raw profiles are in `profiles`. */
  | { type: 'explained'; cell: number; at: number; rate: number | null; processes: ExplainedProcess[] }
  /** What its workflows asked of the outside, all steps together. */
  | ({ type: 'outside'; at: number; cell: number } & OutsideCount)
  /** A fault under a steady load, and what became of every request. */
  | ({ type: 'fault'; cell: number; at: number } & Endured)
  /** A cell that could not be measured at all. */
  | { type: 'cell-failed'; cell: number; at: number; code: string; message: string; log: string[] }
  /**
   * A cell was measured as far as it was to be this time, or could not be: a run that is continued goes on behind it.
   */
  | { type: 'visited'; at: number; cell: number; repeat: number }
  | { type: 'warning'; at: number; text: string }
  /** `lab`: cores that the lab itself used while it measured. */
  | { type: 'end'; at: number; outcome: 'complete' | 'interrupted' | 'failed'; lab?: number | null }
