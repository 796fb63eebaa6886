import type { Request } from '../../scenarios/request.ts'
import type { Schedule } from '../../scenarios/schedule.ts'
import type { Arrivals } from '../model/profile/experiment.ts'
import { settling } from '../model/settling.ts'
import type { Course } from './course.ts'

/** One step of load, before the generator runs it. Seconds and requests a second. */
export interface LoadStep {
  url: string
  method: string
  /** The requests with their weights, where they are more than a method. */
  requests?: SentRequest[]
  /** All workflows with their weights, where several are called. */
  mix?: Part[]
  /** Rows of CSV files, by the table's number in a request. */
  tables?: Record<string, string>[][]
  timeout: number
  duration: number
  shape: { kind: 'closed'; vus: number } | { kind: 'constant'; rate: number } | Course
  /** How requests arrive that do not wait for each other. */
  arrivals?: Arrivals
  /** Decides the moments of arrival: two loads with different seeds share none. */
  seed?: number
}

/** One of several that are called in a step. */
export interface Part {
  workflow: string
  /** Its id in n8n. */
  id: string
  url: string
  method: string
  requests?: SentRequest[]
  weight: number
}

/** A request with its full address. */
export type SentRequest = Omit<Request, 'path'> & { url: string }

/**
 * How many requests may be under way at once: enough for answers that take several times the objective. A step that
 * needs more has already missed it (Little's law). Further requests wait for a client, which counts as their callers'
 * waiting.
 */
export function clientsFor(rate: number, p95: number): number {
  const seconds = Math.max(1, (4 * p95) / 1000)
  return Math.min(20_000, Math.ceil(rate * seconds) + 10)
}

/** The rates of an open load. */
export function scheduleOf({ shape, duration }: LoadStep): Pick<Schedule, 'from' | 'stages' | 'waiting'> {
  if (shape.kind === 'course') return shape
  const rate = shape.kind === 'constant' ? shape.rate : 0
  return { from: rate, stages: [{ rate, seconds: duration }] }
}

/** With more late answers than this, 95 % of the step's answers cannot be in time any more. */
export const lateMost = (rate: number, duration: number) => Math.floor(0.05 * rate * (duration - settling(duration)))
