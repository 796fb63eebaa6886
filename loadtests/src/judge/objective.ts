import type { Realism } from '../model/result.ts'

/** Whether an objective can hold at all, by the first execution, before any load. */

export const cannotHold = 'objective-cannot-hold'

type First = NonNullable<Realism['first']>

/** The first of several workflows whose services alone take longer than the objective; null where none does. */
export const tooSlowFor = (realism: Realism[], objective: number): (Realism & { first: First }) | null =>
  realism.find((one): one is Realism & { first: First } => (one.first?.services ?? 0) > objective) ?? null

/** Under load an execution takes half as long again; rounded up, as people say it. */
export const fittingFor = ({ took }: First): number => {
  const step = took < 1000 ? 100 : 500
  return Math.ceil((1.5 * took) / step) * step
}

/** Of all workflows; null where nothing is known. */
export function fittingOf(realism: Realism[]): number | null {
  const all = realism.flatMap(({ first }) => (first ? [fittingFor(first)] : []))
  return all.length > 0 ? Math.max(...all) : null
}
