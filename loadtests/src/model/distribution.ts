import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type JsHistogram } from 'hdr-histogram-js'

/**
 * The times of all answers, which answer any question about latency. In HdrHistogram's own format, to a tenth of a
 * percent.
 */

const digits = 3
/** Microseconds in a millisecond: the histogram counts in whole numbers. */
const unit = 1000

/** Builds it from times in milliseconds, each with its number of answers. */
export function encode(times: { value: number; count: number }[]): string {
  const histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 2,
    autoResize: true,
    numberOfSignificantValueDigits: digits,
    useWebAssembly: false,
  })
  for (const { value, count } of times)
    if (count > 0) histogram.recordValueWithCount(Math.max(1, Math.round(value * unit)), count)
  return encodeIntoCompressedBase64(histogram)
}

/** The number of answers. */
export const countOf = (encoded: string): number => read(encoded).totalCount

/** How many answers took longer than this, of how many. */
export function aboveOf(encoded: string, milliseconds: number): { late: number; of: number } {
  const histogram = read(encoded)
  const last = Math.min(histogram.countsArrayIndex(Math.round(milliseconds * unit)), histogram.countsArrayLength - 1)
  let inTime = 0
  for (let index = 0; index <= last; index++) inTime += histogram.getCountAtIndex(index)
  return { late: histogram.totalCount - inTime, of: histogram.totalCount }
}

/** Their mean, and the time that this share of the answers took at most. */
export function timesIn(encoded: string, share: number): { mean: number; atMost: number } {
  const histogram = read(encoded)
  return { mean: histogram.mean / unit, atMost: histogram.getValueAtPercentile(100 * share) / unit }
}

const read = (encoded: string) => decodeFromCompressedBase64(encoded) as JsHistogram
