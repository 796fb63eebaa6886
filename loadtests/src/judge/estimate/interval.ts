import type { Range } from '../../model/estimate.ts'

/** How likely each capacity is, on a grid of logarithms. */
export interface Belief {
  from: number
  width: number
  chances: Float64Array
}

const width = 0.004
const outside = 0.025

/** Points with a chance each, each blurred by a normal distribution with this standard deviation. */
export function beliefIn(points: { log: number; chance: number }[], deviation: number): Belief {
  const logs = points.map(({ log }) => log)
  const from = Math.min(...logs) - 4 * deviation
  const places = Math.ceil((Math.max(...logs) + 4 * deviation - from) / width) + 1
  const sharp = new Float64Array(places)
  for (const { log, chance } of points) sharp[Math.round((log - from) / width)]! += chance
  const reach = Math.ceil((4 * deviation) / width)
  const kernel = Float64Array.from({ length: 2 * reach + 1 }, (_, at) =>
    Math.exp(-((((at - reach) * width) / deviation) ** 2) / 2),
  )
  const chances = new Float64Array(places)
  for (let at = 0; at < places; at++) {
    if (sharp[at] === 0) continue
    for (let to = Math.max(0, at - reach); to <= Math.min(places - 1, at + reach); to++)
      chances[to]! += sharp[at]! * kernel[to - at + reach]!
  }
  return { from, width, chances }
}

/** The rate below which the capacity lies with this chance. */
export function quantileOf({ from, width, chances }: Belief, chance: number): number {
  const all = chances.reduce((sum, one) => sum + one, 0)
  let passed = 0
  const at = chances.findIndex((one) => (passed += one) >= chance * all)
  return Math.exp(from + at * width)
}

/** The middle, and between what it lies 19 times in 20. */
export const rangeIn = (belief: Belief): Range & { rate: number } => ({
  low: quantileOf(belief, outside),
  rate: quantileOf(belief, 0.5),
  high: quantileOf(belief, 1 - outside),
})
