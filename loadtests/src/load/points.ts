import { encode } from '../shared/distribution.ts'

/** Values that stand for all answers of a step: what is between two of them is a thousandth of the answers. */
export const points = Array.from({ length: 1000 }, (_, index) => (index + 0.5) / 10)
export const statOf = (percentile: number) => `p(${percentile})`

/** What k6 says of a distribution, as the histogram that is kept of it; undefined where it was not asked for it. */
export function distributionOf(values: Record<string, number>): string | undefined {
  const { count = 0, max } = values
  if (count === 0 || values[statOf(points[0]!)] === undefined) return undefined
  const seen = new Array<number>(points.length).fill(0)
  // Each answer stands where it lies among all of them; the last is the slowest, which k6 says exactly.
  for (let answer = 0; answer < count - 1; answer++)
    seen[Math.min(points.length - 1, Math.max(0, Math.round((answer / (count - 1)) * points.length - 0.5)))]!++
  return encode([
    ...points.map((point, index) => ({ value: values[statOf(point)]!, count: seen[index]! })),
    { value: max!, count: 1 },
  ])
}
