import { figure, memory } from '../src/lib/figures.ts'
import type { ProcessRow, Row } from './measure.ts'

/** What the articles' tables say of rows. */

export function rowOf(rows: Row[], configuration: string, work?: string): Row {
  const found = rows.find((row) => row.configuration === configuration && (work === undefined || row.work === work))
  if (!found) throw new Error(`Expected a row of ${configuration}${work ? ` for ${work}` : ''}.`)
  return found
}

export const processOf = ({ processes }: Row, part: string): ProcessRow | undefined =>
  processes.find(({ name }) => name.includes(part))

export const memoryOf = (process: ProcessRow | undefined): string =>
  process?.memory == null ? '–' : memory(process.memory)

/** Requests a second, or the least that they may be. */
export const rateOf = ({ rate, atLeast }: Row): string => `${atLeast ? 'at least ' : ''}${figure(rate)}`

/** How many times the other's; where a generator was the limit, nobody knows. */
export const timesOf = (row: Row, other: Row): string =>
  row.atLeast || other.atLeast ? '–' : `${figure(row.rate / other.rate)}×`

const heights = [...'▁▂▃▄▅▆▇█']

/** Its memory over time, in as many blocks at most, from nothing to its peak. */
export function courseOf({ course, peak }: ProcessRow, blocks = 20): string {
  if (!peak) return '–'
  const each = Math.max(1, course.length / blocks)
  const drawn = Array.from({ length: Math.min(blocks, course.length) }, (_, at) => course[Math.floor(at * each)]!)
  return drawn
    .map((bytes) => heights[Math.min(heights.length - 1, Math.floor((bytes / peak) * heights.length))])
    .join('')
}
