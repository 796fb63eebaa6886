import type { Request } from '../../scenarios/request.ts'
import { settling } from '../shared/settling.ts'
import type { Course } from './course.ts'

/** One step of load to drive, before it is driven. Seconds and requests a second. */
export interface LoadStep {
  url: string
  method: string
  /** What is sent, where that is more than a method: by weight. */
  requests?: SentRequest[]
  /** Where several are called: all of them, by weight. */
  mix?: Part[]
  /** Rows of CSV files, by the number that a request has of its table. */
  tables?: Record<string, string>[][]
  timeout: number
  duration: number
  shape: { kind: 'closed'; vus: number } | { kind: 'constant'; rate: number } | Course
  /** At a constant rate, each request at a moment of its own between two ticks. */
  scattered?: boolean
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

/** A request that knows where it goes. */
export type SentRequest = Omit<Request, 'path'> & { url: string }

/**
 * How many requests may be under way at once before the generator has to skip one. Enough for the answers
 * to take several times the objective: a step that needs more has missed it already (Little's law).
 */
export function clientsFor(rate: number, p95: number): number {
  const seconds = Math.max(1, (4 * p95) / 1000)
  return Math.min(20_000, Math.ceil(rate * seconds) + 10)
}

/** More late answers than this, and 95 % of the step's cannot come in time any more. */
export const lateMost = (rate: number, duration: number) => Math.floor(0.05 * rate * (duration - settling(duration)))
