import type { HeldStep } from '../../judge/operating.ts'
import type { Environment, ExplainedProcess, GateOrder, Resources, Step } from '../summary.ts'
import type { SetAside } from '../../chart/isolate/isolate.ts'
import type { Tier } from '../../chart/plan.ts'
import type { Endured, Untold } from '../../fault/endure.ts'
import type { PatchState } from '../../n8n/metrics.ts'
import type { Sample } from '../sample.ts'
import type { DatabaseSample } from '../../run/watch-database.ts'
import type { QueueSample } from '../../run/watch-queue.ts'
import type { Experiment, Values } from '../profile/experiment.ts'
import type { OutsideCount } from '../../targets/outside.ts'
import type { TargetEvent } from '../../targets/target.ts'

/** The lines of run.ndjson, in the order of the events. */
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
  /** What of the user's values the run did not have; absent where it had all of them, and in earlier versions. */
  | { type: 'set-aside'; at: number; values: SetAside[] }
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
  /** What one of its processes reports about the patches that it was asked to apply. */
  | { type: 'patches'; at: number; cell: number; process: string; patches: PatchState[] }
  | ({ type: 'sample'; cell: number } & Sample)
  | ({ type: 'queue'; cell: number } & QueueSample)
  | ({ type: 'database'; cell: number } & DatabaseSample)
  | ({ type: 'event'; cell: number } & TargetEvent)
  | ({ type: 'step'; cell: number; at: number } & Step)
  /** A rate that was held after the search, to confirm it. */
  | ({ type: 'held'; cell: number; at: number } & HeldStep)
  /** What each n8n process did in a separate step, whose raw profiles are in `profiles`. */
  | { type: 'explained'; cell: number; at: number; rate: number | null; processes: ExplainedProcess[] }
  /** The calls of its workflows to the outside, over all steps. */
  | ({ type: 'outside'; at: number; cell: number } & OutsideCount)
  /** A fault under a steady load, and the outcome of every request. */
  | ({ type: 'fault'; cell: number; at: number } & Endured)
  /** A fault whose effects are not known, such as one that did not begin. */
  | ({ type: 'fault-untold'; cell: number; at: number } & Untold)
  /** A cell that could not be measured at all. */
  | { type: 'cell-failed'; cell: number; at: number; code: string; message: string; log: string[] }
  /** A cell is finished: measured as far as planned, or not measurable. A continued run goes on after it. */
  | { type: 'visited'; at: number; cell: number; repeat: number }
  | { type: 'warning'; at: number; text: string }
  /** `lab`: cores that the lab itself used while it measured. */
  | { type: 'end'; at: number; outcome: 'complete' | 'interrupted' | 'failed'; lab?: number | null }
