import type { Tier } from '../chart/plan.ts'
import type { Endured } from '../fault/endure.ts'
import type { Experiment, Values } from '../profile/experiment.ts'
import type { OutsideCount } from '../target/outside.ts'
import type { Exit, Machine } from '../target/target.ts'
import type { Explanation } from './explain/types.ts'
import type { Gate, Operating, ScalingResult, Worth } from './judgements.ts'
import type { Accounting, Lateness, Step, Verdict } from './step.ts'

export type * from './explain/types.ts'
export type * from './judgements.ts'
export type * from './step.ts'

/**
 * `summary.json`: everything a reader or a program needs of a finished run.
 * Derived from run.ndjson alone. Its JSON Schema is schema/summary.schema.json.
 */
export interface Summary {
  schema: 1
  id: string
  command: string
  startedAt: string
  endedAt: string | null
  /** `interrupted` and `failed` runs hold what was measured until then. */
  outcome: 'complete' | 'interrupted' | 'failed'
  experiment: Experiment
  environment: Environment
  results: Result[]
  comparison: Comparison[]
  /** Of a run that left settings out one at a time. */
  worth: Worth[]
  /** Wherever a matrix has several numbers of replicas. */
  scaling: ScalingResult[]
  /** Whether anything got worse, where that was asked. */
  gate: Gate | null
  /** What each fault did; absent where there was none. */
  faults?: FaultResult[]
  recommendation: Recommendation | null
}

export interface Environment {
  /** Where n8n ran; null where nothing is known of it. */
  machine: Machine | null
  /** Of this machine; empty where n8n ran elsewhere. */
  loadAverage: number[]
  versions: Record<string, string>
  /** What n8n ran as on this machine: `processes`, or `containers of` a runtime; null where it ran elsewhere. */
  engine: string | null
  /**
   * How CPU and memory limits were enforced: `cgroup v1`, `cgroup v2`, `systemd`, `podman 4.3.1`, `Kubernetes`, `not
   * enforced`, or `unknown` of an n8n that ran before.
   */
  limits: string
  /** Cores that n8n and the generator were given. */
  cores: { target: number[]; generator: number[] }
  /**
   * A bare Node HTTP handler on the same cores: what this machine can do without n8n. Medians; `rates` in the order of
   * time.
   */
  calibration: { rate: number; p95: number; rates: number[] } | null
  /**
   * Cores that the lab itself used while it measured, without the generator; null where the run did not end by itself.
   */
  lab: number | null
  warnings: string[]
}

/** What a fault did to one variant under one workflow. */
export interface FaultResult extends Endured {
  variant: string
  workflow: string
}

/** One variant under one workflow in one cell of the matrix. */
export interface Result {
  variant: string
  workflow: string
  /** The cell's dotted Helm values; empty without a matrix. */
  cell: Values
  /** All Helm values that made it. */
  values: Values
  /** Of its CPU and memory limits, all replicas, at the experiment's price; null where something has no limit. */
  cost: number | null
  /** Null where the chart has no part in it, and in runs of earlier versions. */
  tier: TierInForce | null
  capacity: Capacity | null
  /** What to run it at; absent where no search found a capacity, and in runs of earlier versions. */
  operating?: Operating
  steps: Step[]
  verdict: ResultVerdict
  resources: Resources[]
  /** The most memory that all processes together had, a repeat each; bytes. Null where it was not seen. */
  peaks: Array<number | null>
  /**
   * CPU seconds that all processes together took for each request they accepted, a repeat each; null where it is not
   * known.
   */
  cpuPerRequest: Array<number | null>
  /** Jobs that no worker had yet, while load was on it; null in regular mode, and where the queue was not asked. */
  waiting: { mean: number; max: number } | null
  exits: ResultExit[]
  /** Why it could not be measured at all, with the last lines of n8n's log. */
  failure: { code: string; message: string; log: string[] } | null
  /** What its workflows asked of the outside, all repeats together; absent where nothing stood in for it. */
  outside?: OutsideCount
  /** Where its CPU time went, where that was asked. */
  explanation: Explanation | null
}

/** What the chart's settings give up, and what became of the patches they ask for. */
export interface TierInForce extends Tier {
  /** A switch beside each tier: expressions run without isolation. */
  trustsEditors: boolean
  /** By every process that was asked to. */
  applied: string[]
  skipped: Array<{ patch: string; reason: string | null }>
}

export interface Capacity {
  /** The highest rate that held: median over the repeats. */
  rate: number
  /** (highest − lowest) ÷ median over the repeats; null for a single one. */
  spread: number | null
  /**
   * Where it lies: of one repeat between what surely held and surely broke, of several 19 times in 20. Null where that
   * is not known, and in runs of earlier versions; `high` is null where nothing broke.
   */
  interval?: { low: number; high: number | null } | null
  repeats: number[]
  /** The lowest rate that did not hold, where one was found. */
  brokeAt: number | null
  /** 95th percentile of latency at that rate, median over the repeats. */
  p95: number | null
  /** What became of the requests in the steps on which the rate stands. */
  accounting: Accounting
}

/**
 * Of a result that holds, the reasons say what broke first beyond its capacity (none where
 * nothing did); of one that does not, why not. Causes come before their consequences.
 */
export interface ResultVerdict extends Pick<Verdict, 'holds' | 'reasons'> {
  /** The rate at which that happened; null for closed shapes. */
  at: number | null
  /** At a given load, where chance alone may have made it of the other: the answers that decide. */
  unsure?: Lateness[]
}

/** Over the measured steps of a result, a process. */
export interface Resources {
  process: string
  cpu: { mean: number; max: number } | null
  rss: { mean: number; max: number } | null
  heapUsed: { max: number } | null
  /** How many it answered, by its own count; null where none are sent to it. */
  requests: number | null
  limit: { cpu: number | null; memory: number | null }
}

export interface ResultExit extends Omit<Exit, 'log'> {
  process: string
  at: number
}

/** Two variants under the same workflow and cell. */
export interface Comparison {
  workflow: string
  cell: Values
  baseline: string
  variant: string
  /** Capacity of the variant ÷ capacity of the baseline; null where either has none. */
  ratio: number | null
  /** Where it lies, 19 times in 20; null of one run, and absent in runs of earlier versions. */
  ratioWithin?: { low: number; high: number } | null
  /**
   * What the same load takes more of the variant, as a share, and what that may be off by (null of one round); only of
   * what ran side by side.
   */
  takes?: { measure: 'cpu' | 'p95' | 'memory'; share: number; within: number | null }[]
  /** The whole sentence. */
  text: string
}

export interface Recommendation {
  variant: string
  cell: Values
  values: Values
  why: string
}
