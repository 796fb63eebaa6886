import type { ConfigurationAnswer } from '../model/answer.ts'
import type { Values } from '../model/experiment.ts'
import { cellKey, type Result } from '../model/result.ts'

/** What a result surely sustains. */

/** The rate of which the objective holds with this chance: the lower end of a range that is right 19 times in 20. */
const usualChance = 0.975

/** The one rule for the rate to run at; null where nothing is known of how far the figure may be off. */
export function safeOf({ capacity }: Pick<Result, 'capacity'>): ConfigurationAnswer['safe'] {
  if (!capacity) return null
  if (capacity.estimate) return capacity.estimate.safe
  return capacity.interval ? { rate: capacity.interval.low, chance: usualChance } : null
}

/** Whether a result sustains a rate: by its interval, never by its figure alone. */
export function sustains(result: Pick<Result, 'capacity'>, rate: number): 'yes' | 'no' | 'unsure' {
  const { capacity } = result
  const safe = safeOf(result)
  if (!capacity) return 'no'
  if (safe && safe.rate >= rate) return 'yes'
  // Where nothing broke, no rate is surely too much, whatever the model says.
  const { high } = capacity.interval ?? capacity.estimate?.capacity ?? { high: null }
  return high !== null && high < rate ? 'no' : 'unsure'
}

export const isOf = (one: { variant: string; workflow: string; cell: Values }, result: Result): boolean =>
  cellKey({ variant: one.variant, workflow: one.workflow, cell: one.cell }) === cellKey(result)
