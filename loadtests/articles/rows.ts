import { memory } from '../src/lib/figures.ts'
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
