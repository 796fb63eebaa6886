import type { Sample } from './sample.ts'

/**
 * Many samples, in a row of numbers each: in memory, where an hour of 200 processes takes 100 MB, and in the record,
 * where it takes about 80. A figure that is missing is NaN here and null there.
 */

/** The figures of a row after its moment, in their order; new ones come last, so that earlier records stay readable. */
const columns: { of: (sample: Sample) => number | null | undefined; digits?: number }[] = [
  { of: ({ cpu }) => cpu, digits: 3 },
  { of: ({ rss }) => rss },
  { of: ({ pids }) => pids },
  { of: ({ heapUsed }) => heapUsed },
  { of: ({ heapTotal }) => heapTotal },
  { of: ({ external }) => external },
  { of: ({ lag }) => lag, digits: 2 },
  { of: ({ executions }) => executions?.started },
  { of: ({ executions }) => executions?.succeeded },
  { of: ({ executions }) => executions?.failed },
  { of: ({ throttled }) => throttled, digits: 3 },
  { of: ({ loop }) => loop?.ran, digits: 3 },
  { of: ({ loop }) => loop?.waited, digits: 3 },
  { of: ({ pool }) => pool?.active },
  { of: ({ pool }) => pool?.waiting },
  { of: ({ pool }) => pool?.max },
  { of: ({ files }) => files },
  { of: ({ silent }) => (silent ? 1 : null) },
]

/** A row of the record: the process, the milliseconds since the line's moment, and the figures. */
export type SampleRow = [process: string, after: number, ...figures: (number | null)[]]

export function rowOf(sample: Sample, from: number): SampleRow {
  const figures = columns.map(({ of, digits = 0 }) => rounded(of(sample), digits))
  while (figures.at(-1) === null) figures.pop()
  return [sample.process, sample.at - from, ...figures]
}

function rounded(value: number | null | undefined, digits: number): number | null {
  if (value === null || value === undefined) return null
  const scale = 10 ** digits
  return Math.round(value * scale) / scale
}

/** The number of samples that memory is taken for at once. */
const atOnce = 4096
/** The process, the moment, and the figures. */
const width = 2 + columns.length

/** Samples in the order in which they were taken. */
export class Samples implements Iterable<Sample> {
  readonly #processes: string[] = []
  readonly #numbers = new Map<string, number>()
  readonly #chunks: Float64Array[] = []
  #length = 0

  static of(samples: Iterable<Sample>): Samples {
    const all = new Samples()
    for (const sample of samples) all.add(sample)
    return all
  }

  get length(): number {
    return this.#length
  }

  add(sample: Sample): void {
    const [chunk, place] = this.#place(sample.process, sample.at)
    columns.forEach(({ of }, index) => (chunk[place + 2 + index] = of(sample) ?? NaN))
  }

  /** A row of the record. */
  addRow([process, after, ...figures]: SampleRow, from: number): void {
    const [chunk, place] = this.#place(process, from + after)
    for (let index = 0; index < columns.length; index++) chunk[place + 2 + index] = figures[index] ?? NaN
  }

  #place(process: string, at: number): [chunk: Float64Array, place: number] {
    const place = (this.#length % atOnce) * width
    if (place === 0) this.#chunks.push(new Float64Array(atOnce * width))
    const chunk = this.#chunks.at(-1)!
    chunk[place] = this.#numberOf(process)
    chunk[place + 1] = at
    this.#length++
    return [chunk, place]
  }

  #numberOf(process: string): number {
    const known = this.#numbers.get(process)
    if (known !== undefined) return known
    this.#processes.push(process)
    this.#numbers.set(process, this.#processes.length - 1)
    return this.#processes.length - 1
  }

  *[Symbol.iterator](): Iterator<Sample> {
    for (let index = 0; index < this.#length; index++) yield this.#at(index)
  }

  /** Those of a time, as a list: of a step that lasts for hours it is long. */
  during({ startedAt, endedAt }: { startedAt: number; endedAt: number }): Sample[] {
    const all: Sample[] = []
    for (const sample of this) if (sample.at >= startedAt && sample.at <= endedAt) all.push(sample)
    return all
  }

  findLast(wanted: (sample: Sample) => boolean): Sample | undefined {
    for (let index = this.#length - 1; index >= 0; index--) {
      const sample = this.#at(index)
      if (wanted(sample)) return sample
    }
    return undefined
  }

  #at(index: number): Sample {
    const chunk = this.#chunks[Math.floor(index / atOnce)]!
    const place = (index % atOnce) * width
    const value = (column: number) => orNull(chunk[place + 2 + column]!)
    const [started, succeeded, failed] = [value(7), value(8), value(9)]
    const [throttled, ran, waited] = [value(10), value(11), value(12)]
    const [active, waiting, max] = [value(13), value(14), value(15)]
    const files = value(16)
    return {
      at: chunk[place + 1]!,
      process: this.#processes[chunk[place]!]!,
      cpu: value(0),
      rss: value(1),
      pids: value(2) ?? 0,
      heapUsed: value(3),
      heapTotal: value(4),
      external: value(5),
      lag: value(6),
      executions: started === null || succeeded === null || failed === null ? null : { started, succeeded, failed },
      ...(throttled !== null && { throttled }),
      ...(ran !== null && waited !== null && { loop: { ran, waited } }),
      ...(active !== null && waiting !== null && max !== null && { pool: { active, waiting, max } }),
      ...(files !== null && { files }),
      ...(value(17) !== null && { silent: true as const }),
    }
  }
}

const orNull = (value: number) => (Number.isNaN(value) ? null : value)

/** One after the other, as one. */
export const inTurn = (all: Iterable<Sample>[]): Iterable<Sample> => ({
  *[Symbol.iterator]() {
    for (const each of all) yield* each
  },
})
