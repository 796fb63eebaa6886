import type { Times, Quantiles, DatabaseSize } from '../../model/step.ts'
import { quantile, sum } from 'simple-statistics'

/** Counts from rows of n8n's executions, whichever database they are in. */

/** What n8n's database knows about its executions, including those whose process died. */
export interface ExecutionDatabase {
  /** The outcome of all executions ever: the plan's database is as old as the plan. */
  look(): Promise<ExecutionCounts>
  /** How long executions took that began after the given number of others; null if too few of them left a row. */
  times(after: number): Promise<Times | null>
  /** How many of the later executions each workflow finished, by its id; null if some left no row. */
  finishedBy(after: number): Promise<Record<string, number> | null>
  size(): Promise<DatabaseSize>
  /** What n8n's connections do right now. Absent where the database does not say. */
  activity?(): Promise<Activity>
  close(): Promise<void>
}

/** How many connections of n8n's are at work in the database. */
export interface Activity {
  active: number
  /** How many of them wait for its disk. */
  onDisk: number
}

export interface ExecutionCounts {
  begun: number
  finished: number
  /** Ids of executions that ended in an error. */
  failed: string[]
  /** Ids of executions that died with their process. */
  crashed: string[]
  /** Ids of executions that are neither finished nor given up. */
  open: string[]
}

/** A row of an execution that did not end well, or has not ended yet. */
export interface Row {
  id: string | number
  status: string
}

const failures = new Set(['error', 'failed', 'canceled'])

/** n8n deletes executions that it does not keep, so every execution without a row ended well. */
export function countsOf(begun: number, rows: Row[]): ExecutionCounts {
  const ids = (which: (status: string) => boolean) =>
    rows.filter(({ status }) => which(status)).map(({ id }) => String(id))
  const failed = ids((status) => failures.has(status))
  const crashed = ids((status) => status === 'crashed')
  const open = ids((status) => status !== 'crashed' && !failures.has(status))
  return { begun, finished: begun - failed.length - crashed.length - open.length, failed, crashed, open }
}

/** The rows must be nearly all executions: n8n may delete the quickest ones first, so a part is no random sample. */
const enough = 0.9

/** The rows that say when an execution was accepted, begun and finished, with the number of all executions. */
export function timesOf(begun: number, rows: TimedRow[]): Times | null {
  if (rows.length === 0 || rows.length < enough * begun) return null
  const over = (key: keyof TimedRow): Quantiles => {
    const all = rows.map((row) => Math.max(0, Number(row[key])))
    return { p50: quantile(all, 0.5), p95: quantile(all, 0.95) }
  }
  return { waited: over('waited'), ran: over('ran') }
}

/** Milliseconds, as a database returns them. */
export type TimedRow = Record<'waited' | 'ran', number | string>

/** For each workflow: how many executions have a row, and how many of those finished. */
export function finishedOf(begun: number, rows: FinishedRow[]): Record<string, number> | null {
  if (sum(rows.map((row) => Number(row.begun))) !== begun) return null
  return Object.fromEntries(rows.map(({ workflow, finished }) => [workflow, Number(finished)]))
}

/** Counts, as a database returns them. */
export type FinishedRow = { workflow: string } & Record<'begun' | 'finished', number | string>
