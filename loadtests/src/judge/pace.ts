import { spread } from './statistics.ts'

/** If looks at a bare server lie no further apart than this, the machine kept its pace. */
const steady = 0.1

/** A machine that at times does half of what it does at others: what n8n missed, it may have missed for that alone. */
export const hasSwung = (rates: number[]): boolean => rates.length > 1 && Math.max(...rates) > 2 * Math.min(...rates)

/** How far the looks at a bare server lie apart, of a machine that did not keep its pace over a run; null of others. */
export function unsteadyBy(rates: number[]): number | null {
  const apart = spread(rates)
  return apart !== null && apart > steady ? apart : null
}
