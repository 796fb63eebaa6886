import type { Fail } from '../lib/repeat.ts'
import type { Fault } from '../fault/faults.ts'
import type { Target } from '../targets/target.ts'
import type { Credential } from '../n8n/credentials.ts'
import type { Cell } from './cells.ts'
import type { OwnUse } from './own-use.ts'
import type { Schedule } from './schedule.ts'
import type { Experiment } from '../model/experiment.ts'
import type { RunRecord } from '../model/record.ts'
import type { GateAsked } from '../model/gate.ts'
import type { Recorder } from './record-file.ts'

/** One run. It is passed on whole, from the command down to each step. */
export interface Run {
  /** What is asked. */
  experiment: Experiment
  /** Each variant under each workflow in each cell of the matrix, rendered and ready to start. */
  cells: Cell[]
  options: RunOptions
  /** Where n8n runs. */
  target: Target
  /** What was measured, and all that is written down. */
  record: Recorder
  /** What the user sees meanwhile. */
  progress: Progress
  /** Ends the run; its reason is an error where that was no interruption. */
  signal: AbortSignal
  /** Takes errors of work that nobody waits for. */
  fail: Fail
  /** What the lab itself uses while it measures. */
  ownUse: OwnUse
}

export interface RunOptions {
  id: string
  /** Waits until nothing else runs on this machine. */
  whenQuiet?: boolean
  /** As the user typed it. */
  command: string
  /** Decides what comes next. */
  schedule: Schedule
  /** Seconds that the run will still take at a moment, if the schedule can tell; null where nothing tells. */
  secondsLeft?: (cells: Cell[], records: RunRecord[], experiment: Experiment, now: number) => number | null
  /** What to compare the result with. */
  gate?: GateAsked
  /** A search of a single n8n also fills it between its steps, as one of several in turns does. */
  filled?: boolean
  /** Adds a step to each cell, in which its processes are profiled. */
  explain?: boolean
  /** The faults after each cell's load, one after the other. */
  faults?: Fault[]
  /** Refuses a workflow of which a node fails, in place of measuring the rest of it. */
  strict?: boolean
  /** What the workflows need for other services. */
  credentials?: Credential[]
  /** Where k6 also writes its figures: the remote write endpoint of a Prometheus. */
  remoteWrite?: string
}

export interface Progress {
  /** A line that stays. */
  say(line: string): void
  /** What is under way now; replaces itself. */
  doing(text: string): void
  /** How long the run will still take from now on, in seconds. */
  left(seconds: number): void
}
