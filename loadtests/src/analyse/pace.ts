import { roughly, span } from '../support/figures.ts'
import { spread } from './statistics.ts'

/** Looks at a bare server that lie no further apart than this say that the machine kept its pace. */
const steady = 0.1

/** What to say of a machine that did not keep its pace over a run, by what a bare server carried every few minutes. */
export function unsteady(rates: number[]): string[] {
  const apart = spread(rates)
  if (apart === null || apart <= steady) return []
  return [
    `The machine did not keep its pace: a bare Node server on n8n’s cores carried ${span(rates)} over the `
      + `run. What was measured at different times may lie ${roughly(apart)} apart for that alone.`,
  ]
}
