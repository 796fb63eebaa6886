import type { Values } from '../model/profile/experiment.ts'
import type { Law } from '../model/scaling-law.ts'
import type { Slope } from './slope.ts'
import type { KeptHeap, Reason } from './step.ts'

/** What one setting of the tuned profile is worth under one workflow. */
export interface Worth {
  workflow: string
  setting: string
  /** A search compares capacities. At a given load, which all of them carry, the cost is compared. */
  measure: 'capacity' | 'cpu' | 'p95' | 'memory'
  /**
   * What the setting improves, as a share of the figure without it: more capacity, or a lower cost; null where the
   * measurements do not decide it.
   */
  share: number | null
  /** The ± of that share, right 19 times in 20; null with one run. */
  within: number | null
  /**
   * All settings judged together: `same` is no difference beyond 5 %. Null where nothing was measured, absent in runs
   * of earlier versions.
   */
  finding?: 'better' | 'worse' | 'same' | 'unsure' | null
  text: string
}

/** How capacity grows with replicas, everything else the same. */
export interface ScalingResult {
  variant: string
  workflow: string
  /** The Helm value that is the number of replicas. */
  setting: string
  /** The rest of the cell. */
  cell: Values
  points: Array<{ replicas: number; rate: number; spread: number | null }>
  /** Null where the points follow no law, which `refused` explains. */
  law: Law | null
  residuals: Array<{ replicas: number; share: number }>
  /** The number above which one more replica carries less; null where more always carry more, or no law fits. */
  peak: number | null
  refused: string | null
  text: string
}

/** The shares by which capacity may fall, and memory and CPU for each request may grow. */
export interface Bounds {
  capacity: number
  memory: number
  /** Only for variants side by side. */
  cpu: number
}

/** What to compare a run with, written down when it begins. Without an earlier run, it is its own first variant. */
export interface GateOrder {
  bounds: Bounds
  earlier: { id: string; calibration: number | null; results: Measured[] } | null
}

export interface Measured {
  variant: string
  workflow: string
  cell: Values
  /** One for each repeat; null where nothing held. */
  capacities: number[]
  peaks: number[]
}

export interface Gate {
  bounds: Bounds
  /** The earlier run. */
  against: string | null
  verdicts: GateVerdict[]
  /** Why the comparison may say little. */
  warning: string | null
}

export interface GateVerdict {
  variant: string
  workflow: string
  cell: Values
  measure: 'capacity' | 'memory' | 'cpu'
  bound: number
  /** After ÷ before − 1. */
  change: number | null
  /** The ± of that share, right 19 times in 20; null with one run. */
  within: number | null
  /** `passed`: it is not worse beyond the bound, with that certainty. */
  verdict: 'better' | 'passed' | 'worse' | 'unsure'
  text: string
}

/** What to run a configuration at: a share of what it carries. */
export interface Operating {
  /** Requests a second. */
  rate: number
  /** The share of the lower end of the capacity's interval. */
  share: number
  /** Null where it was not held: then the rate is a rule of thumb. */
  held: Held | null
  /** Of a million executions at that rate; null without a price of the user's, or where something has no limit. */
  costOfMillion: number | null
}

/** One rate that lasted for minutes, and its effects. */
export interface Soak {
  /** Requests a second. */
  rate: number
  held: Held
}

/** What was seen while the rate was held. */
export interface Held {
  seconds: number
  holds: boolean
  reasons: Reason[]
  p95: number | null
  backlogGrowth: number | null
  memory: Growth[]
  /** The keys in Redis; null where no queue is. */
  keys: Thirds | null
  /** Null where n8n's database does not say. */
  database: {
    /** What a day at this rate adds, before n8n prunes. */
    bytesOfDay: number
    /** Executions that a day at this rate leaves in the history. */
    keptOfDay: number
    /** Database transactions an execution; null where the database does not count them. */
    transactions: number | null
  } | null
}

/** Medians of the second third and of the last of the time that a rate was held. */
export interface Thirds {
  second: number
  last: number
}

/** Resident memory of a process while a rate was held, bytes. */
export interface Growth extends Thirds {
  process: string
  /** From the second third on; null where that is too short for one. */
  slope: Slope | null
  /** The part that is V8's heap in use; null where the process does not say. */
  heap: Thirds | null
  /** The slope of what V8 did not reserve for its heap; absent where the process does not say. */
  outside?: Slope
  /** The heap after a full garbage collection, before the load and after it; absent where the lab could not look. */
  keptHeap?: Omit<KeptHeap, 'process'>
  /** Open files, pipes and connections; null where the process does not say. */
  files: Thirds | null
}
