import type { Sample } from '../observe/sample.ts'

export interface Curve {
  /** Epoch milliseconds. */
  at: number[]
  cpu: Array<number | null>
  rss: Array<number | null>
  heapUsed: Array<number | null>
}

/**
 * At most `points` looks at one process. CPU is averaged, because it is a rate; of memory the
 * highest is kept, because a peak that disappears is the one that kills.
 */
export function downsample(samples: Sample[], points: number): Curve {
  const size = Math.max(1, Math.ceil(samples.length / points))
  const curve: Curve = { at: [], cpu: [], rss: [], heapUsed: [] }
  for (let start = 0; start < samples.length; start += size) {
    const bucket = samples.slice(start, start + size)
    curve.at.push(bucket[0]!.at)
    curve.cpu.push(mean(bucket.map((sample) => sample.cpu)))
    curve.rss.push(highest(bucket.map((sample) => sample.rss)))
    curve.heapUsed.push(highest(bucket.map((sample) => sample.heapUsed)))
  }
  return curve
}

function mean(values: Array<number | null>): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

function highest(values: Array<number | null>): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}
