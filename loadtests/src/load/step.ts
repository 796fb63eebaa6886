import type { PlannedStep } from '../model/step.ts'
import type { Schedule } from '../../scenarios/schedule.ts'
import { settling } from '../model/step.ts'

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
export function scheduleOf({ shape, duration }: PlannedStep): Pick<Schedule, 'from' | 'stages' | 'waiting'> {
  if (shape.kind === 'course') return shape
  const rate = shape.kind === 'constant' ? shape.rate : 0
  return { from: rate, stages: [{ rate, seconds: duration }] }
}

/** With more late answers than this, 95 % of the step's answers cannot be in time any more. */
export const lateMost = (rate: number, duration: number) => Math.floor(0.05 * rate * (duration - settling(duration)))
