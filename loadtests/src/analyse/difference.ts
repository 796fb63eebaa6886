import { mean, variance } from './statistics.ts'
import { chanceOf, studentFor } from './student.ts'

/** What is known of a ratio: as a share, 0.15 is 15 % more. */
export interface Difference {
  share: number
  /** Where it truly lies, 19 times in 20; null of a single round, which says nothing about it. */
  low: number | null
  high: number | null
  /** How often chance alone makes as much of it; null of a single round. */
  chance: number | null
  /** Beyond what it is not, with the same certainty: the one-sided limits. */
  least: number | null
  most: number | null
  rounds: number
}

/** Logarithms: twice as much and half as much are as far off. */
const logsOf = (values: number[]) => values.map(Math.log)

/** Of values that belong together, pair by pair: what the machine did meanwhile, both of a pair had. */
export function pairedDifference(now: number[], was: number[]): Difference {
  const logs = logsOf(now).map((log, round) => log - Math.log(was[round]!))
  return differenceOf(
    mean(logs),
    logs.length > 1 ? Math.sqrt(variance(logs) / logs.length) : null,
    logs.length - 1,
    logs.length,
  )
}

/** A search finds rates that lie so far apart: repeats that agree exactly do not know them any better. */
const grain = 0.05
const leastVariance = grain ** 2 / 12

/** Of values that were measured apart (Welch's test). */
export function difference(now: number[], was: number[]): Difference {
  const [own, others] = [logsOf(now), logsOf(was)]
  const rounds = Math.min(now.length, was.length)
  const change = mean(own) - mean(others)
  if (rounds < 2) return differenceOf(change, null, 0, rounds)
  const [a, b] = [own, others].map((values) => Math.max(variance(values), leastVariance) / values.length) as [
    number,
    number,
  ]
  const freedom = (a + b) ** 2 / (a ** 2 / (own.length - 1) + b ** 2 / (others.length - 1))
  return differenceOf(change, Math.sqrt(a + b), freedom, rounds)
}

function differenceOf(change: number, error: number | null, freedom: number, rounds: number): Difference {
  const share = (log: number) => Math.exp(log) - 1
  if (error === null)
    return { share: share(change), low: null, high: null, chance: null, least: null, most: null, rounds }
  const [both, one] = [studentFor(0.95, freedom) * error, studentFor(0.9, freedom) * error]
  const chance = error === 0 ? Number(change === 0) : chanceOf(change / error, freedom)
  return {
    share: share(change),
    low: share(change - both),
    high: share(change + both),
    chance,
    least: share(change - one),
    most: share(change + one),
    rounds,
  }
}

/** Give or take so much; null of a single round. */
export const within = ({ low, high }: Difference): number | null =>
  low === null || high === null ? null : (high - low) / 2

/** `same`: it is nowhere beyond the bound. `unsure`: what was measured does not tell. */
export type Finding = 'more' | 'less' | 'same' | 'unsure'

/** Chance makes less than that once in twenty times. */
const level = 0.05

export function findingOf(found: Difference, bound: number, chance = found.chance): Finding {
  if (chance === null || found.low === null) return 'unsure'
  if (Math.abs(found.share) > bound && chance < level) return found.share > 0 ? 'more' : 'less'
  return found.least! > -bound && found.most! < bound ? 'same' : 'unsure'
}

/**
 * Of many questions asked at once one is answered wrongly by chance: Holm makes each answer as sure as the only one
 * would be.
 */
export function corrected(chances: Array<number | null>): Array<number | null> {
  const known = chances
    .flatMap((chance, index) => (chance === null ? [] : [{ chance, index }]))
    .sort((a, b) => a.chance - b.chance)
  const found = [...chances]
  let most = 0
  known.forEach(({ chance, index }, rank) => {
    most = Math.max(most, Math.min(1, chance * (known.length - rank)))
    found[index] = most
  })
  return found
}
