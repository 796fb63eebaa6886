import type { Fault } from '../fault/faults.ts'
import type { Fail } from '../lib/fail.ts'
import type { Target } from '../targets/target.ts'
import type { Credential } from '../workload/credentials.ts'
import type { Cell, CellsOrder } from './cells.ts'
import type { Progress } from './progress.ts'
import type { Schedule } from './schedule.ts'
import type { GateAsked } from '../model/gate.ts'
import type { Experiment } from '../model/experiment.ts'
import type { Recorder } from '../model/record-file.ts'
import type { RunRecord } from '../model/record.ts'

/** What one run has to measure, and with what. */
export interface RunOrder extends CellsOrder {
  id: string
  command: string
  /** Credentials that the workflows need for other services. */
  credentials?: Credential[]
  recorder: Recorder
  schedule: Schedule
  /** Seconds that it will still take, if the schedule can tell; null before that is known. */
  remaining?: (cells: Cell[], records: RunRecord[], experiment: Experiment) => number | null
  gate?: GateAsked
  /** Adds a step to each cell, in which its processes are profiled. */
  explain?: boolean
  /** The faults after each cell's load, one after the other. */
  faults?: Fault[]
  /** Where k6 also writes its figures: the remote write endpoint of a Prometheus. */
  remoteWrite?: string
  openTarget: (fail: Fail) => Promise<Target>
  progress: Progress
  /** Ends the run; its reason is an error where that was no interruption. */
  signal: AbortSignal
  fail: Fail
}
