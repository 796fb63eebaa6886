import jstat from 'jstat'
import { geometricMean as meanOfRatios, max, median as middle, min } from 'simple-statistics'

export { max, mean, min, sampleVariance as variance, sum } from 'simple-statistics'

export const median = (values: number[]): number => middle(values)

/** With an even number of values, the upper of the two in the middle, so it is always one of them. */
export const upperMedian = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

/** How far repeats lie apart, as a share of their median; null with one repeat. */
export function spread(values: number[]): number | null {
  if (values.length < 2) return null
  const centre = middle(values)
  return centre === 0 ? null : (max(values) - min(values)) / centre
}

/** The mean for ratios: twice as fast here and half as fast there is 1. */
export const geometricMean = (ratios: number[]): number => meanOfRatios(ratios)

/** The median of the known values; null where none is known. */
export function medianKnown(values: Array<number | null | undefined>): number | null {
  const known = values.filter((value) => value !== null && value !== undefined)
  return known.length === 0 ? null : middle(known)
}

export function groupBy<Item, Key>(items: Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  return Map.groupBy(items, keyOf)
}

/** How often chance alone moves Student's t this far, to either side. */
export const chanceOf = (t: number, freedom: number): number =>
  jstat.ibeta(freedom / (freedom + t * t), freedom / 2, 0.5)

/** The value that |t| stays below in this share of cases. */
export const studentFor = (share: number, freedom: number): number => jstat.studentt.inv((1 + share) / 2, freedom)
