import type { Candidate } from './candidate.ts'
import type { PatchState, Tier, TierInForce } from '../model/tier.ts'
import type { Values } from '../model/experiment.ts'

/** The tier of a result, with the outcome of its patches: a patch is active only if no process skipped it. */
export function inForce(tier: Tier, states: PatchState[], { tuning }: Values): TierInForce {
  const of = (state: PatchState['state']) => states.filter((each) => each.state === state)
  const skipped = [...new Map(of('skipped').map(({ patch, reason }) => [patch, { patch, reason }])).values()]
  const whole = of('applied').filter(({ patch }) => skipped.every((other) => other.patch !== patch))
  const applied = [...new Set(whole.map(({ patch }) => patch))]
  return { ...tier, trustsEditors: (tuning as Values | undefined)?.trustEditors === true, applied, skipped }
}

/**
 * Candidates grouped by what they give up, the least first. Without a given rate, only those that give up nothing
 * count, and tuned comes before n8n's defaults, wherever any were measured.
 */
export function byWhatTheyGiveUp(measured: Candidate[], asked: boolean): Candidate[][] {
  const groups = [...Map.groupBy(measured, rankOf)].toSorted(([a], [b]) => a - b)
  const free = groups.filter(([rank]) => rank <= ranks.tuned).reverse()
  return (asked || free.length === 0 ? groups : free).map(([, group]) => group)
}

/** Whether it gives up something, and more than the other. */
export const givesUpMore = (one: Candidate, other: Candidate): boolean =>
  rankOf(one) > Math.max(ranks.tuned, rankOf(other))

const ranks = { defaults: 0, tuned: 1, lean: 2, patched: 3, trusting: 4 }

/** Judged by its active settings, not by the name of its tier: any tier can have single settings and patches. */
function rankOf([result]: Candidate): number {
  const { tier } = result!
  if (!tier) return ranks.tuned
  if (tier.trustsEditors) return ranks.trusting
  if (tier.patches.length > 0) return ranks.patched
  if (tier.givesUp.length > 0) return ranks.lean
  return tier.name === 'n8n-defaults' ? ranks.defaults : ranks.tuned
}
