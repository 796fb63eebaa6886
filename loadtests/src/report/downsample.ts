import type { QueueSample, Sample } from '../model/sample.ts'

export interface Curve {
  /** Epoch milliseconds. */
  at: number[]
  cpu: Array<number | null>
  rss: Array<number | null>
  heapUsed: Array<number | null>
}

/**
 * At most `points` looks at one process. CPU is a rate, so it is averaged; of memory the highest value stays, because a
 * peak is what gets a process killed.
 */
export function downsample(samples: Sample[], points: number): Curve {
  const curve: Curve = { at: [], cpu: [], rss: [], heapUsed: [] }
  for (const bucket of buckets(samples, points)) {
    curve.at.push(bucket[0]!.at)
    curve.cpu.push(mean(bucket.map((sample) => sample.cpu)))
    curve.rss.push(highest(bucket.map((sample) => sample.rss)))
    curve.heapUsed.push(highest(bucket.map((sample) => sample.heapUsed)))
  }
  return curve
}

/** At most `points` looks at a queue; among neighbours the one with the most waiting jobs stays. */
export function fullest(looks: QueueSample[], points: number): QueueSample[] {
  return buckets(looks, points).map((bucket) =>
    bucket.reduce((most, look) => (look.waiting > most.waiting ? look : most)),
  )
}

function buckets<Look>(looks: Look[], points: number): Look[][] {
  const size = Math.max(1, Math.ceil(looks.length / points))
  return Array.from({ length: Math.ceil(looks.length / size) }, (_, bucket) =>
    looks.slice(bucket * size, (bucket + 1) * size),
  )
}

function mean(values: Array<number | null>): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

function highest(values: Array<number | null>): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}
