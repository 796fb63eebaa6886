import type { SetAside } from '../chart/isolate/isolate.ts'
import type { Tier } from '../chart/plan.ts'
import type { Endured, Untold } from '../fault/endure.ts'
import type { Experiment, Values } from './profile/experiment.ts'
import type { Release } from './release.ts'
import type { OutsideCount } from '../targets/outside.ts'
import type { Exit, Machine } from '../targets/target.ts'
import type { Explanation } from '../judge/explain/types.ts'
import type { Gate, Operating, ScalingResult, Soak, Worth } from '../judge/judgements.ts'
import type { Accounting, Lateness, Step, Verdict } from '../judge/step.ts'

export type * from '../judge/explain/types.ts'
export type * from '../judge/judgements.ts'
export type * from '../judge/step.ts'

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
  /** What of the user's values the run did not have, so as to reach nothing of theirs; absent where it had all. */
  setAside?: SetAside[]
  results: Result[]
  comparison: Comparison[]
  /** Only of a run that left settings out one at a time. */
  worth: Worth[]
  /** One for every matrix with several numbers of replicas. */
  scaling: ScalingResult[]
  /** Whether anything got worse; absent if the run did not ask. */
  gate: Gate | null
  /** What each fault did; absent where there was none. */
  faults?: FaultResult[]
  /** The faults whose effects are not known; absent where there are none. */
  untold?: UntoldFault[]
  recommendation: Recommendation | null
}

export interface Environment {
  /** Where n8n ran; null where that is unknown. */
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
   * Cores that the lab itself used during the measurement, without the generator; null where the run was ended from
   * outside.
   */
  lab: number | null
  /** The operator's own release of the chart, if the cluster has exactly one. */
  release?: Release
  warnings: string[]
}

/** What a fault did to one variant under one workflow. */
export interface FaultResult extends Endured {
  variant: string
  workflow: string
}

/** A fault of one variant under one workflow, whose effects are not known. */
export type UntoldFault = Untold & Pick<FaultResult, 'variant' | 'workflow'>

/** One variant under one workflow in one cell of the matrix. */
export interface Result {
  variant: string
  workflow: string
  /** The cell's dotted Helm values; empty without a matrix. */
  cell: Values
  /** All Helm values that made it. */
  values: Values
  /**
   * The price of its CPU and memory limits, over all replicas, at the experiment's prices; null where something has no
   * limit.
   */
  cost: number | null
  /** Null where n8n does not run by the chart, and in runs of earlier versions. */
  tier: TierInForce | null
  capacity: Capacity | null
  /** What to run it at; absent where no search found a capacity, and in runs of earlier versions. */
  operating?: Operating
  /** Where one rate lasted for ten minutes or more. */
  soak?: Soak
  steps: Step[]
  verdict: ResultVerdict
  resources: Resources[]
  /** The largest memory of all processes together, for each repeat, in bytes; null where it was not seen. */
  peaks: Array<number | null>
  /** CPU seconds of all processes for each accepted request, for each repeat; null where unknown. */
  cpuPerRequest: Array<number | null>
  /** Jobs that waited for a worker, under load; null in regular mode, and where the lab could not ask the queue. */
  waiting: { mean: number; max: number } | null
  exits: ResultExit[]
  /** Why it could not be measured at all, with the last lines of n8n's log. */
  failure: { code: string; message: string; log: string[] } | null
  /** What its workflows called outside n8n, over all repeats; absent where no stand-in answered. */
  outside?: OutsideCount
  /** Where its CPU time went; absent if the run did not ask. */
  explanation: Explanation | null
}

/** What the chart's settings give up, and the outcome of the patches they ask for. */
export interface TierInForce extends Tier {
  /** A switch beside each tier: expressions run without isolation. */
  trustsEditors: boolean
  /** Applied by every process that was asked to. */
  applied: string[]
  skipped: Array<{ patch: string; reason: string | null }>
}

export interface Capacity {
  /** The highest rate that held: median over the repeats. */
  rate: number
  /** (highest − lowest) ÷ median over the repeats; null for a single one. */
  spread: number | null
  /**
   * The range of the capacity. One repeat: between the rates that surely held and surely broke. Several: right 19 times
   * in 20. Null where unknown and in runs of earlier versions; `high` is null where nothing broke.
   */
  interval?: { low: number; high: number | null } | null
  repeats: number[]
  /** The lowest rate that did not hold; null where every rate held. */
  brokeAt: number | null
  /** 95th percentile of latency at that rate, median over the repeats. */
  p95: number | null
  /** The outcome of the requests in the steps that the rate rests on. */
  accounting: Accounting
}

/**
 * Of a result that holds: what broke first above its capacity (empty where nothing broke). Otherwise: why it does not
 * hold. Causes come before their consequences.
 */
export interface ResultVerdict extends Pick<Verdict, 'holds' | 'reasons'> {
  /** The rate at which that happened; null for closed shapes. */
  at: number | null
  /** At a given load: the answers that decide, where chance alone may have decided the verdict. */
  unsure?: Lateness[]
}

/** One process, over the measured steps of a result. */
export interface Resources {
  process: string
  cpu: { mean: number; max: number } | null
  rss: { mean: number; max: number } | null
  heapUsed: { max: number } | null
  /** Requests it answered, by its own count; null where it receives none. */
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
  /** The range of the ratio, right 19 times in 20; null with one run, and absent in runs of earlier versions. */
  ratioWithin?: { low: number; high: number } | null
  /**
   * The extra cost of the same load for the variant, as a share, and its ± (null with one round); only of variants
   * side by side.
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
