import { z } from 'zod'
import { usage } from '../lib/errors.ts'

/** What a fault under a steady load did to its requests. Times are epoch milliseconds. */

const count = z.int().min(0)

export const Named = z.strictObject({ request: z.string(), executions: z.array(z.string()) })
export type Named = z.infer<typeof Named>

export const Fate = z
  .strictObject({
    sent: count,
    accepted: count,
    refused: count,
    unanswered: count,
    once: count,
    twice: z.array(Named).describe('Requests with more than one execution, none of which is n8n’s own retry.'),
    lost: z.array(Named).describe('Accepted, but without an execution.'),
    starting: count
      .optional()
      .describe('Of the lost: how many n8n answered with status 200 while it was starting. Absent without any.'),
    failed: z.array(Named).describe('Executed, but ended in an error or with its process. n8n lists them.'),
    stuck: z.array(Named).describe('Neither finished nor given up, long after the fault.'),
    unknown: z
      .array(Named)
      .optional()
      .describe('Accepted; it ended or its row is gone, and n8n’s settings keep from the lab how. Absent without any.'),
    unasked: z.array(Named).describe('Not accepted, but executed: if the caller tries again, n8n executes it twice.'),
  })
  .describe('The outcome of every request, with the ids of those that did not go well and of their executions.')
export type Fate = z.infer<typeof Fate>

export const ServiceReturn = z
  .strictObject({
    gap: z.number().describe('Seconds: the longest time in which no request was accepted.'),
    back: z
      .number()
      .nullable()
      .describe(
        'Seconds from the fault’s end until n8n accepts as many requests, as fast, as before; null where that was not '
          + 'seen in time.',
      ),
    p95: z.strictObject({ before: z.number(), during: z.number().nullable(), after: z.number().nullable() }),
    p99: z
      .number()
      .nullable()
      .optional()
      .describe('Of the requests between the fault’s beginning and its end. Absent in runs of earlier versions.'),
    slowest: z.number(),
  })
  .describe('How long service took to come back.')
export type ServiceReturn = z.infer<typeof ServiceReturn>

export const Unready = z
  .strictObject({ process: z.string(), seconds: z.number() })
  .describe('Seconds for which a process reported itself not ready, or did not answer.')
export type Unready = z.infer<typeof Unready>

export const Moment = z
  .strictObject({
    at: z.number(),
    accepted: count,
    refused: count,
    unanswered: count,
    p95: z.number().nullable().describe('Milliseconds, of accepted requests; null where none was accepted.'),
  })
  .describe('One second of the load: the outcome of the requests that began in it.')
export type Moment = z.infer<typeof Moment>

export const FaultEffects = z.strictObject({
  fault: z.string(),
  does: z.string(),
  rate: z.number(),
  from: z.number().describe('When the fault began.'),
  to: z.number().describe('When it was over.'),
  fate: Fate,
  service: ServiceReturn,
  unready: z.array(Unready),
  broken: z.array(z.string()).describe('What should have held and did not; empty where everything held.'),
  timeline: z.array(Moment),
})
export type FaultEffects = z.infer<typeof FaultEffects>

export const MissingEffects = z
  .strictObject({ fault: z.string(), message: z.string().describe('Why, and what to do.') })
  .describe('A fault whose effects are not known.')
export type MissingEffects = z.infer<typeof MissingEffects>

const whose = { variant: z.string(), workflow: z.string() }

/** What a fault did to one variant under one workflow. */
export const FaultResult = FaultEffects.extend(whose)
export type FaultResult = z.infer<typeof FaultResult>

export const MissingResult = MissingEffects.extend(whose)
export type MissingResult = z.infer<typeof MissingResult>

/** What the lab does to a running n8n. */

export type ProcessFault = PodFault | { component: 'runner'; replicas: 'one'; how: RunnerFault }

/**
 * SIGKILL or SIGTERM to a task runner, which n8n starts again; or SIGSTOP until the end. Only in a cluster: no memory
 * left in its container.
 */
export type RunnerFault = 'kill' | 'end' | 'freeze' | 'exhaust-memory'

/** A fault of a component’s processes; in a cluster, of its pods. */
export interface PodFault {
  component: 'main' | 'worker' | 'webhook' | 'redis' | 'postgresql' | 'n8n'
  replicas: 'one' | 'all'
  /**
   * SIGKILL, SIGTERM or SIGINT, then a new start. Until the end: SIGKILL without a start; SIGSTOP; no packet to it or
   * from it; fewer packets; no room on its disk; another clock. Only in a cluster: no memory left in its container;
   * eviction under the disruption budgets, as a drain does; a rolling restart.
   */
  how:
    | 'kill'
    | 'end'
    | 'interrupt'
    | 'hold'
    | 'freeze'
    | 'cut-off'
    | 'lossy'
    | 'fill-disk'
    | 'move-clock'
    | 'exhaust-memory'
    | 'evict'
    | 'roll'
}

/** Whether n8n or its store needs a network or a disk of its own for it. */
export const needsApart = ({ how }: ProcessFault): boolean =>
  how === 'cut-off' || how === 'lossy' || how === 'fill-disk'

export const faultElsewhere = () =>
  usage(
    'fault-elsewhere',
    'Expected a fault that can be done here, got one that needs a cluster: --target kubernetes.',
    'Choose another fault, or that target.',
  )
