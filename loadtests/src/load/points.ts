import { encode } from '../model/distribution.ts'

/** Values that stand for all answers of a step: between two neighbours lies a thousandth of the answers. */
export const points = Array.from({ length: 1000 }, (_, index) => (index + 0.5) / 10)
export const statOf = (percentile: number) => `p(${percentile})`

/** Turns k6's percentiles into the stored histogram; undefined if they were not asked for. */
export function distributionOf(values: Record<string, number>): string | undefined {
  const { count = 0, max } = values
  if (count === 0 || values[statOf(points[0]!)] === undefined) return undefined
  const seen = new Array<number>(points.length).fill(0)
  // Each point keeps its place among all answers. The last is the slowest answer, which k6 reports exactly.
  for (let answer = 0; answer < count - 1; answer++)
    seen[Math.min(points.length - 1, Math.max(0, Math.round((answer / (count - 1)) * points.length - 0.5)))]!++
  return encode([
    ...points.map((point, index) => ({ value: values[statOf(point)]!, count: seen[index]! })),
    { value: max!, count: 1 },
  ])
}
