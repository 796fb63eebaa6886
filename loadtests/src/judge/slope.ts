import type { Slope } from '../model/operating.ts'
import { linearRegression, median } from 'simple-statistics'
import { studentFor } from './statistics.ts'

const minute = 60_000
const hour = 60 * minute
/** Fewer minutes say nothing about an hour. */
const leastMinutes = 8

/**
 * The slope of a straight line through each minute's median. A heap rises and falls over minutes, so one minute tells
 * about the next: the more it does, the fewer minutes count.
 */
export function slopeOf(points: Array<[at: number, value: number]>): Slope | null {
  const [start = 0] = points.map(([at]) => at)
  const minutes = [...Map.groupBy(points, ([at]) => Math.floor((at - start) / minute))].map(
    ([index, own]): [number, number] => [index * minute, median(own.map(([, value]) => value))],
  )
  const count = minutes.length
  if (count < leastMinutes) return null
  const level = median(minutes.map(([, value]) => value))
  const { m, b } = linearRegression(minutes)
  const residuals = minutes.map(([at, value]) => value - (m * at + b))
  const middle = minutes.reduce((sum, [at]) => sum + at, 0) / count
  const width = minutes.reduce((sum, [at]) => sum + (at - middle) ** 2, 0)
  const squares = residuals.reduce((sum, each) => sum + each ** 2, 0)
  const worth = count * worthOf(residuals, squares)
  const freedom = Math.max(1, worth - 2)
  const error = Math.sqrt((squares / freedom) * (1 / width))
  return { perHour: (m * hour) / level, within: (studentFor(0.95, freedom) * error * hour) / level }
}

/** How much of its share a value tells by itself, by how much each resembles the one before it. */
function worthOf(residuals: number[], squares: number): number {
  if (squares === 0) return 1
  const next = residuals.slice(1).reduce((sum, each, index) => sum + each * residuals[index]!, 0)
  const alike = Math.min(0.9, Math.max(0, next / squares))
  return (1 - alike) / (1 + alike)
}
