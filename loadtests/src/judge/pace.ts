import { roughly, span } from '../lib/figures.ts'
import { spread } from './statistics.ts'

/** If looks at a bare server lie no further apart than this, the machine kept its pace. */
const steady = 0.1

/** A machine that at times does half of what it does at others: what n8n missed, it may have missed for that alone. */
export const hasSwung = (rates: number[]): boolean => rates.length > 1 && Math.max(...rates) > 2 * Math.min(...rates)

/**
 * The warning about a machine that did not keep its pace over a run, from the looks at a bare server every few minutes.
 */
export function unsteady(rates: number[]): string[] {
  const apart = spread(rates)
  if (apart === null || apart <= steady) return []
  return [
    `The machine did not keep its pace: a bare Node server on n8n’s cores answered ${span(rates)} over the `
      + `run. For that reason alone, what was measured at different times may lie ${roughly(apart)} apart.`,
  ]
}
