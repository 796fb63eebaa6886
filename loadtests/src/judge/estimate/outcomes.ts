import type { Step } from '../../model/step.ts'
import type { Belief } from './interval.ts'

/**
 * The capacity from the steps alone: which held, which broke, and how many answers were late. For what the twin does
 * not know: memory that ends, answers before the work, latencies that are not those of a queue.
 */

/** By how many times the odds of a late answer grow where the rate does, for each request within the objective. */
const slopes = [0.15, 0.4, 1, 2]
/** How much late answers of one step resemble each other. */
const alikes = [0.02, 0.1, 0.3]
/** How far below or above its capacity a step may still hold or break, in logarithms. */
const blurs = [0.03, 0.08, 0.2]
/** Something that nobody has foreseen happens in one step of fifty. */
const unforeseen = 0.02

export interface Tried {
  rate: number
  holds: boolean
  /** Null where late answers say nothing of the capacity. */
  lateness: { late: number; of: number; allowed: number } | null
}

export const triedIn = ({ load, holds, lateness = [] }: Step, byLateness: boolean): Tried => {
  const nearest = lateness.toSorted((a, b) => b.late / b.of / b.allowed - a.late / a.of / a.allowed)[0]
  return { rate: load.rate!, holds, lateness: byLateness && nearest && nearest.of > 0 ? nearest : null }
}

const width = 0.01

/** `objective`: seconds. `expected`: what is known of the capacity without the steps. */
export function beliefFrom(tried: Tried[], objective: number, expected?: { rate: number; off: number }): Belief {
  const logs = [...tried.map(({ rate }) => rate), ...(expected ? [expected.rate] : [])].map(Math.log)
  const from = Math.min(...logs) - 1
  const capacities = Float64Array.from(
    { length: Math.ceil((Math.max(...logs) + 1 - from) / width) + 1 },
    (_, at) => from + at * width,
  )
  const chances = capacities.map((capacity) => {
    let chance = 0
    for (const slope of slopes)
      for (const alike of alikes)
        for (const blur of blurs)
          chance += tried.reduce((all, one) => all * explained(one, capacity, { slope, alike, blur, objective }), 1)
    const off = expected ? (capacity - Math.log(expected.rate)) / expected.off : 0
    return chance * Math.exp(-(off ** 2) / 2)
  })
  return { from, width, chances }
}

interface Assumed {
  slope: number
  alike: number
  blur: number
  objective: number
}

/** How likely this outcome is with such a capacity. */
function explained({ rate, holds, lateness }: Tried, capacity: number, assumed: Assumed): number {
  const over = Math.log(rate) - capacity
  if (!lateness) {
    const breaks = 1 / (1 + Math.exp((-1.7 * over) / assumed.blur))
    return unforeseen / 2 + (1 - unforeseen) * (holds ? 1 - breaks : breaks)
  }
  const { late, of, allowed } = lateness
  const odds = (allowed / (1 - allowed)) * Math.exp(assumed.slope * Math.max(1, rate * assumed.objective) * over)
  const turned = (share: number) => Math.asin(Math.sqrt(Math.min(1, share)))
  const spread = Math.sqrt((1 / of + assumed.alike) / 4)
  const off = (turned((late + allowed / 2) / (of + 0.5)) - turned(odds / (1 + odds))) / spread
  return unforeseen / 3 + ((1 - unforeseen) * Math.exp(-(off ** 2) / 2)) / spread / 10
}
