import type { RunRecord } from '../model/record.ts'
import { cellKey, type Result } from '../model/result.ts'
import type { QueueSample, Sample } from '../model/sample.ts'
import { Samples } from '../model/samples.ts'

/** The samples of one opening of a cell, in the order in which they were taken. */
export interface Series extends Pick<Result, 'variant' | 'workflow' | 'cell'> {
  /** The moment when its cell was opened. */
  startedAt: number
  samples: Samples
  /** The length of its queue; empty in regular mode. */
  queue: QueueSample[]
}

export function seriesOf(records: RunRecord[]): Series[] {
  const all: Series[] = []
  const open = new Map<number, Series>()
  for (const record of records) {
    if (record.type === 'cell') {
      const { variant, workflow, matrix: cell, at: startedAt } = record
      const series: Series = { variant, workflow, cell, startedAt, samples: new Samples(), queue: [] }
      open.set(record.cell, series)
      all.push(series)
    } else if (record.type === 'samples') {
      const series = open.get(record.cell)
      if (series) series.samples = record.samples
    } else if (record.type === 'sample') {
      open.get(record.cell)?.samples.add(record)
    } else if (record.type === 'queue') {
      open.get(record.cell)?.queue.push({ at: record.at, waiting: record.waiting, active: record.active })
    }
  }
  return all
}

/** A cell that was measured in several visits has several series. */
export function seriesFor(result: Result, all: Series[]): Series[] {
  const key = cellKey(result)
  return all.filter((series) => cellKey(series) === key)
}

/** One process over time. */
export interface Curve {
  /** Epoch milliseconds. */
  at: number[]
  cpu: Array<number | null>
  rss: Array<number | null>
  heapUsed: Array<number | null>
}

/**
 * At most `points` looks at each process. CPU is a rate, so it is averaged; of memory the highest value stays, because
 * a peak is what gets a process killed.
 */
export function curvesOf(samples: Iterable<Sample>, points: number): Map<string, Curve> {
  const counts = new Map<string, number>()
  for (const { process } of samples) counts.set(process, (counts.get(process) ?? 0) + 1)
  const drawn = new Map<string, { curve: Curve; size: number; looks: Sample[] }>()
  for (const sample of samples) {
    const own = drawn.get(sample.process) ?? {
      curve: { at: [], cpu: [], rss: [], heapUsed: [] },
      size: Math.max(1, Math.ceil(counts.get(sample.process)! / points)),
      looks: [],
    }
    drawn.set(sample.process, own)
    own.looks.push(sample)
    if (own.looks.length === own.size) draw(own.curve, own.looks.splice(0))
  }
  for (const { curve, looks } of drawn.values()) if (looks.length) draw(curve, looks)
  return new Map([...drawn].map(([process, { curve }]) => [process, curve]))
}

/** One point of a curve. */
function draw(curve: Curve, looks: Sample[]): void {
  curve.at.push(looks[0]!.at)
  curve.cpu.push(mean(looks.map(({ cpu }) => cpu)))
  curve.rss.push(highest(looks.map(({ rss }) => rss)))
  curve.heapUsed.push(highest(looks.map(({ heapUsed }) => heapUsed)))
}

/** At most `points` looks at a queue; among neighbours the one with the most waiting jobs stays. */
export function fullest(looks: QueueSample[], points: number): QueueSample[] {
  const size = Math.max(1, Math.ceil(looks.length / points))
  return Array.from({ length: Math.ceil(looks.length / size) }, (_, bucket) =>
    looks.slice(bucket * size, (bucket + 1) * size).reduce((most, look) => (look.waiting > most.waiting ? look : most)),
  )
}

function mean(values: Array<number | null>): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

function highest(values: Array<number | null>): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((most, value) => Math.max(most, value))
}
