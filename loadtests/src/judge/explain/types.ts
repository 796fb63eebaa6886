import type { Area } from './areas.ts'

/** What n8n's CPU time went into during an extra step after the search, and how to reduce the largest share. */
export interface Explanation {
  /** The rate of that step, in requests a second; null where clients waited for their answers. */
  rate: number | null
  processes: ExplainedProcess[]
  /** Over all processes; null where there was nothing to explain. */
  largest: Area | null
  text: string
  /** What to set, or what to change about the workflow. */
  advice: string
}

export interface ExplainedProcess {
  process: string
  /** Seconds of watching, and CPU seconds that its container took in them, as the system counted them. */
  elapsed: number
  cpu: number
  /**
   * The share of those CPU seconds that belongs to no known thread or process; below 0 where the lab found more than
   * the system.
   */
  unexplained: number
  /** Share of the time in which n8n's main thread took no CPU. */
  idle: number
  /** CPU seconds of each area, the largest first; shares of what the system counted. */
  shares: Share[]
  /** Bytes that each area allocated, by samples; shares of the sum. */
  allocated: Share[]
}

export interface Share {
  area: Area
  /** The name of the area for readers. */
  what: string
  amount: number
  share: number
}
