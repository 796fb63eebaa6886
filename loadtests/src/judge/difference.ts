import type { Capacity } from '../model/result.ts'
import { chanceOf, max, mean, studentFor, variance } from './statistics.ts'

/** The ratio of two figures, as a share: 0.15 is 15 % more. */
export interface Difference {
  share: number
  /** The range of the true value, right 19 times in 20; null with one round, which says nothing about it. */
  low: number | null
  high: number | null
  /** How often chance alone makes a difference of this size; null with one round. */
  chance: number | null
  /** One-sided limits of the true value, with the same certainty. */
  least: number | null
  most: number | null
  rounds: number
  /** What the logarithm of the ratio may be off by, and the degrees of freedom that this is known with. */
  error: number | null
  freedom: number
}

/** Logarithms, so that twice as much and half as much are equally far from 1. */
const logsOf = (values: number[]) => values.map(Math.log)

/** Degrees of freedom with which the error is as good as known. */
const many = 1000

/** What two turns side by side usually lie apart by, and how many of them that knowledge is worth. */
const usual = { off: 0.05, freedom: 3 }

/**
 * For values that belong together in pairs: a slower machine slows both of a pair. `off`, in turns: what both may
 * differ by in all pairs alike, so that the pairs do not show it. A few turns may agree by chance, so how far turns
 * usually lie apart counts beside them.
 */
export function pairedDifference(now: number[], was: number[], off = 0): Difference {
  const logs = logsOf(now).map((log, round) => log - Math.log(was[round]!))
  if (logs.length < 2) return differenceOf(mean(logs), null, 0, logs.length)
  const known = off === 0 ? 0 : usual.freedom
  const own = logs.length - 1
  const chance = (own * variance(logs) + known * usual.off ** 2) / (own + known) / logs.length
  // What is known beforehand makes the error better known (Satterthwaite).
  const freedom = off === 0 ? own : Math.min(many, (own + known) * (1 + off ** 2 / chance) ** 2)
  return differenceOf(mean(logs), Math.sqrt(chance + off ** 2), freedom, logs.length)
}

/** A search finds rates in steps of this size, so repeats that agree exactly are no more precise than that. */
const grain = 0.05
const leastVariance = grain ** 2 / 12

/** For values that were measured apart from each other (Welch's test). */
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
    return {
      share: share(change),
      low: null,
      high: null,
      chance: null,
      least: null,
      most: null,
      rounds,
      error,
      freedom,
    }
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
    error,
    freedom,
  }
}

/** A ratio that is known with its range, right 19 times in 20. */
export function fromRange(ratio: number, low: number, high: number): Difference {
  const error = Math.log(high / low) / (2 * studentFor(0.95, many))
  return { ...differenceOf(Math.log(ratio), error, many, 1), low: low - 1, high: high - 1 }
}

/** The one-sided limits of the true value, each wrong in this share of cases; null with one round. */
export function limitsAt(level: number, { share, error, freedom }: Difference): { least: number; most: number } | null {
  if (error === null) return null
  const off = studentFor(1 - 2 * level, freedom) * error
  return { least: (1 + share) * Math.exp(-off) - 1, most: (1 + share) * Math.exp(off) - 1 }
}

/** The ± of the share; null with one round. */
export const halfWidth = ({ low, high }: Difference): number | null =>
  low === null || high === null ? null : (high - low) / 2

/** `same`: the difference lies within the bound everywhere. `unsure`: the measurements do not decide it. */
export type Finding = 'more' | 'less' | 'same' | 'unsure'

/** Chance alone makes such a difference less than once in twenty times. */
const level = 0.05

export function findingOf(found: Difference, bound: number, chance = found.chance): Finding {
  if (chance === null || found.low === null) return 'unsure'
  if (Math.abs(found.share) > bound && chance < level) return found.share > 0 ? 'more' : 'less'
  return found.least! > -bound && found.most! < bound ? 'same' : 'unsure'
}

/**
 * Among many questions, chance answers some wrongly. Holm's method makes each answer as sure as if it were the only
 * one.
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

/** Differences below this are too small to claim, even where repeats agree more closely. */
export const NOISE = 0.05

/** How far two figures may differ without meaning: their own spread, and at least `NOISE`. */
export const noise = (...measured: Pick<Capacity, 'spread'>[]): number =>
  max([NOISE, ...measured.map(({ spread }) => spread ?? 0)])
