/** What one experiment asks: the profile after validation, every default filled in. */
export interface Experiment {
  name: string
  question: string
  /** What the values are values of: the chart, or a bare server to compare n8n with. */
  plan: 'chart' | 'server'
  /** Values under every variant; Helm values, where the plan is the chart’s. */
  base: Values
  variants: Variant[]
  /** Dotted Helm value to the list of values it takes; the cells are their product. */
  matrix: Record<string, unknown[]>
  workflows: string[]
  load: Load
  slo: Slo
  repeat: number
  /** In place of `repeat`: until figures are so fine, or so much time is over. */
  enough?: Enough
  /** After a search: hold the rate that is recommended, to confirm it. */
  hold?: Hold
  /** What a CPU and a GiB of memory cost, in the user's own money and time: what makes a cell cheap. */
  price: Price
  /** Requests a second that the recommendation has to carry under every workflow; without it, it gives up nothing. */
  need?: number
  /** What that rate is, in words: the busiest minute of the last 30 days. */
  needIs?: string
  /** What is to go wrong under the load, one after the other. */
  faults?: string[]
}

export interface Enough {
  /** What a capacity may be off by, as a share. */
  within: number
  /** Seconds. */
  budget: number
}

export interface Hold {
  /** Of the capacity. */
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
  /** The setting that was left out of the first variant to make this one, to find its worth. */
  without?: string
  /** The variant it is held against, and measured side by side with where the target can have both up. */
  beside?: string
}

/** Durations are seconds, rates are requests a second. */
export type Load =
  | { shape: 'closed'; vus: number; duration: number; timeout: number }
  | { shape: 'constant'; rate: number; duration: number; timeout: number }
  | { shape: 'ramp'; from: number; to: number; duration: number; timeout: number }
  | { shape: 'spike'; rate: number; peak: number; duration: number; timeout: number }
  | { shape: 'soak'; rate: number; duration: number; timeout: number }
  | { shape: 'herd'; rate: number; waiting: number; duration: number; timeout: number }
  | { shape: 'mixed'; rate: number; weights: Record<string, number>; duration: number; timeout: number }
  | Search

/** With weights, of all workflows at once. */
export interface Search {
  shape: 'search'
  min: number
  max: number
  step: number
  precision: number
  weights?: Record<string, number>
  timeout: number
}

/** What must be true of a step for it to hold. Shares are fractions, times milliseconds. */
export interface Slo {
  p95: number
  p99?: number
  'p99.9'?: number
  errors: number
  backlog: number
}
