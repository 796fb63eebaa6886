import type { Area } from './areas.ts'

/** What n8n's CPU time went into during an extra step after the search, and what would cut the largest share. */
export interface Explanation {
  /** Requests a second of that step; null where clients waited for their answers. */
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
  /** Seconds it was watched, and CPU seconds its container took meanwhile, as the system counted them. */
  elapsed: number
  cpu: number
  /** Of those CPU seconds, the share that was found in no thread and no process; below 0 where more was found. */
  unexplained: number
  /** Share of the time in which n8n's main thread took no CPU. */
  idle: number
  /** CPU seconds an area, the largest first; shares of what the system counted. */
  shares: Share[]
  /** Bytes an area allocated, sampled; shares of them all. */
  allocated: Share[]
}

export interface Share {
  area: Area
  /** The area in words. */
  what: string
  amount: number
  share: number
}
