import type { Schedule } from '../../scenarios/schedule.ts'
import { peakOf } from './course.ts'
import type { Generator } from './generator.ts'
import { type PlannedStep, settling } from '../model/step.ts'

/**
 * How many requests may be under way at once: enough for answers that take several times the objective. It is enough
 * for a pause of some seconds too, in which callers do not wait for each other. Further requests wait, which counts as
 * their callers' waiting.
 */
export function clientsFor(rate: number, p95: number): number {
  const seconds = Math.max(6, (4 * p95) / 1000)
  return Math.ceil(rate * seconds) + 10
}

/** Bytes of k6 for a request under way, and the connections that one machine can open to one address. */
const each = { memory: 64 * 2 ** 10, connections: 25_000 }

/** The same within the memory of the generator and its connections; more parts carry more. */
export function mostUnderWay(
  { shape, duration }: Pick<PlannedStep, 'shape' | 'duration'>,
  p95: number,
  { memory, parts = 1 }: Pick<Generator, 'memory' | 'parts'>,
): number {
  const { waiting = 0 } = scheduleOf({ shape, duration })
  const peak = shape.kind === 'course' ? peakOf(shape) : shape.kind === 'constant' ? shape.rate : 0
  // Requests that come at once are under way beside those of the schedule.
  const wanted = waiting + clientsFor(peak, p95)
  return Math.min(wanted, parts * Math.min(each.connections, Math.floor(memory / each.memory)))
}

/**
 * The same at somebody else's n8n, whose other callers wait behind them. A rate has so many under way when each of its
 * answers takes as long as the objective allows.
 */
export function mostAtOthers(
  step: Pick<PlannedStep, 'shape' | 'duration' | 'timeout'>,
  p95: number,
  generator: Pick<Generator, 'memory' | 'parts'>,
): number {
  const { waiting = 0, from, stages } = scheduleOf(step)
  const peak = Math.max(from, ...stages.map(({ rate }) => rate))
  const seconds = Math.min(p95 / 1000, step.timeout)
  return Math.min(waiting + Math.ceil(peak * seconds) + 1, mostUnderWay(step, p95, generator))
}

/** The rates of an open load. */
export function scheduleOf({
  shape,
  duration,
}: Pick<PlannedStep, 'shape' | 'duration'>): Pick<Schedule, 'from' | 'stages' | 'waiting'> {
  if (shape.kind === 'course') return shape
  const rate = shape.kind === 'constant' ? shape.rate : 0
  return { from: rate, stages: [{ rate, seconds: duration }] }
}

/** The answers that may be late in a step that ends with more of them than a share. */
export const lateMost = (share: number, rate: number, duration: number) =>
  Math.floor(share * rate * (duration - settling(duration)))
