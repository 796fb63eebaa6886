import type { Disagreement } from '../judge/agreement.ts'
import { unsteadyBy } from '../judge/pace.ts'
import { roughly, span } from '../lib/figures.ts'
import type { Environment } from '../model/environment.ts'

/** What may be wrong with the figures of a run: what was recorded, and what its looks at a bare server show. */
export function warningsIn({ warnings, calibration }: Environment): string[] {
  const rates = calibration?.rates ?? []
  const apart = unsteadyBy(rates)
  return apart === null ? warnings : [...warnings, unsteady(rates, apart)]
}

const unsteady = (rates: number[], apart: number) =>
  `The machine did not keep its pace: a bare Node server on n8n’s cores answered ${span(rates)} over the run. For that `
  + `reason alone, what was measured at different times may lie ${roughly(apart)} apart.`

/** The counts of n8n that do not confirm each other. */
export function disagreementInWords(one: Disagreement): string {
  if (one.code === 'uncounted')
    return (
      'The metrics of this n8n count no executions of workers. The lab asks its database and its queue for the '
      + 'outcome, and sees no backlog that grows.'
    )
  const where = one.code === 'begun' ? 'its queue' : 'its metrics'
  return `n8n’s database counts ${one.database} executions ${one.code}, ${where} ${one.other}.`
}
