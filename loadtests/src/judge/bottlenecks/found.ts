import type { Bottleneck } from '../../model/step.ts'

/** What was seen to be used up, with the figures that show it. */
export type Shortage = Pick<Bottleneck, 'code'>
  & (
    | { by: 'heap'; process: string; least: number; limit: number }
    /** `share`: of its limit. `throttled`: of its periods, where its limit stopped it in many of them. */
    | { by: 'limit'; process: string; limit: number; share: number; throttled: number | null }
    | { by: 'loop'; process: string; cpu: number }
    | {
        by: 'cores'
        process: null
        used: number
        cores: number | null
        waiting: { process: string; share: number } | null
      }
    | { by: 'redis'; process: null; took: number }
    | { by: 'disk'; process: null; share: number }
    /** Connections on average. */
    | { by: 'lists'; process: null; reading: number; active: number }
    | { by: 'pool'; process: string; most: number; waiting: number; isPostgresql: boolean }
    | { by: 'slots'; process: null; active: number; most: number; waiting: number | null }
    /** All slots of the task runners are taken, while the processes have CPU to spare. */
    | { by: 'runner'; process: null; active: number; most: number }
    /** Most of a request is waiting for what the workflow calls. Milliseconds. */
    | { by: 'services'; process: null; services: number; all: number }
    /** One process that is busy for much of the time, not all of it. */
    | { by: 'thread'; process: string; busy: number }
    | { by: 'nothing'; process: null; busiest: { process: string; cpu: number; share: number | null } | null }
  )

/** What would be used up after it, and at how many times the throughput. */
export interface NextShortage {
  what: 'limit' | 'loop' | 'cores' | 'disk'
  process: string | null
  times: number
}

export type FoundBottleneck = Shortage & { next?: NextShortage }
