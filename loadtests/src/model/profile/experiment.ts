/** The question of one experiment: the profile after validation, with every default filled in. */
export interface Experiment {
  name: string
  question: string
  /** Only in records of earlier versions, which could measure a bare server in the place of n8n. */
  plan?: 'chart' | 'server'
  /** Helm values under every variant. */
  base: Values
  variants: Variant[]
  /** Dotted Helm value → the list of values it takes; the cells are their product. */
  matrix: Record<string, unknown[]>
  workflows: string[]
  load: Load
  slo: Slo
  repeat: number
  /** Instead of `repeat`: repeat until the figures are this precise, or until this much time has passed. */
  enough?: Enough
  /** After a search: hold the recommended rate, to confirm it. */
  hold?: Hold
  /** The price of a CPU and of a GiB of memory, in the user's own money and time: it decides which cell is cheap. */
  price: Price
  /**
   * Requests a second that the recommendation has to carry under every workflow. Without it, the recommendation gives
   * up nothing.
   */
  need?: number
  /** Where that rate comes from, in words: the busiest minute of the last 30 days. */
  needIs?: string
  /** The faults under the load, one after the other. */
  faults?: string[]
}

export interface Enough {
  /** The ± that a capacity may have, as a share. */
  within: number
  /** Seconds. */
  budget: number
}

export interface Hold {
  /** The share of the capacity to hold. */
  share: number
  /** Seconds. */
  for: number
}

export interface Price {
  cpu: number
  memory: number
}

export type Values = Record<string, unknown>

export interface Variant {
  name: string
  values: Values
  /** The setting that this variant leaves out of the first one, to measure its worth. */
  without?: string
  /** The variant to compare it with; measured side by side if the target can run both. */
  beside?: string
}

/**
 * How requests arrive in an open load: at random, as independent callers send them, or evenly, like a metronome. Absent
 * in runs of earlier versions, whose arrivals were even.
 */
export type Arrivals = 'random' | 'even'

/** Durations are seconds, rates are requests a second. */
export type Load = { shape: 'closed'; vus: number; duration: number; timeout: number } | OpenLoad

export type OpenLoad = { arrivals?: Arrivals } & (
  | { shape: 'constant'; rate: number; duration: number; timeout: number }
  | { shape: 'ramp'; from: number; to: number; duration: number; timeout: number }
  | { shape: 'spike'; rate: number; peak: number; duration: number; timeout: number }
  | { shape: 'soak'; rate: number; duration: number; timeout: number }
  | { shape: 'herd'; rate: number; waiting: number; duration: number; timeout: number }
  | { shape: 'mixed'; rate: number; weights: Record<string, number>; duration: number; timeout: number }
  | Search
)

/** All workflows at once, with their weights. */
export interface Search {
  shape: 'search'
  min: number
  max: number
  step: number
  precision: number
  weights?: Record<string, number>
  timeout: number
  arrivals?: Arrivals
}

/** What a step must meet to hold. Shares are fractions, times are milliseconds. */
export interface Slo {
  p95: number
  p99?: number
  'p99.9'?: number
  errors: number
  backlog: number
  /** Objectives of single workflows of a mix, in place of those above. */
  workflows?: Record<string, Partial<Omit<Slo, 'backlog' | 'workflows'>>>
}
