import { quantile, sum } from 'simple-statistics'

/** What rows of n8n's executions amount to, whichever database they are in. */

/** What n8n's database says of its executions: it knows also of those whose process died. */
export interface ExecutionDatabase {
  /** What became of all executions that there ever were: the plan's database is as old as the plan. */
  look(): Promise<ExecutionCounts>
  /** How long executions begun after that many others took; null where too few of them left a row to speak for all. */
  times(after: number): Promise<Times | null>
  /**
   * By the ids of their workflows, how many executions begun after that many others have finished; null where some left
   * no row.
   */
  finishedBy(after: number): Promise<Record<string, number> | null>
  size(): Promise<DatabaseSize>
  close(): Promise<void>
}

export interface DatabaseSize {
  bytes: number
  /** Executions that it keeps: those that n8n has marked for deletion do not count. */
  kept: number
  /** Committed and rolled back since it started; null where the database does not count them. */
  transactions: number | null
}

export interface ExecutionCounts {
  begun: number
  finished: number
  /** Ids, of those that ended in an error. */
  failed: string[]
  /** Of those that died with their process. */
  crashed: string[]
  /** Of those that are neither done nor given up. */
  open: string[]
}

/** Milliseconds of executions that are done. */
export interface Times {
  /** From being accepted to being begun: in queue mode by a worker. */
  waited: Quantiles
  /** From being begun to being done. */
  ran: Quantiles
}

export interface Quantiles {
  p50: number
  p95: number
}

/** A row that did not end well, or not yet. */
export interface Row {
  id: string | number
  status: string
}

const failures = new Set(['error', 'failed', 'canceled'])

/** Executions that n8n does not keep end as no row, so what ended well is what is left. */
export function countsOf(begun: number, rows: Row[]): ExecutionCounts {
  const ids = (which: (status: string) => boolean) =>
    rows.filter(({ status }) => which(status)).map(({ id }) => String(id))
  const failed = ids((status) => failures.has(status))
  const crashed = ids((status) => status === 'crashed')
  const open = ids((status) => status !== 'crashed' && !failures.has(status))
  return { begun, finished: begun - failed.length - crashed.length - open.length, failed, crashed, open }
}

/** A part of all, but no sample of chance: n8n may let go of the ones it is done with first. */
const enough = 0.9

/** Of as many executions as there were, those whose rows say when they were accepted, begun and done. */
export function timesOf(begun: number, rows: TimedRow[]): Times | null {
  if (rows.length === 0 || rows.length < enough * begun) return null
  const over = (key: keyof TimedRow): Quantiles => {
    const all = rows.map((row) => Math.max(0, Number(row[key])))
    return { p50: quantile(all, 0.5), p95: quantile(all, 0.95) }
  }
  return { waited: over('waited'), ran: over('ran') }
}

/** Milliseconds, as a database gives them. */
export type TimedRow = Record<'waited' | 'ran', number | string>

/**
 * Of as many executions as there were, one row a workflow: how many of it have a row, and how many of those finished.
 */
export function finishedOf(begun: number, rows: FinishedRow[]): Record<string, number> | null {
  if (sum(rows.map((row) => Number(row.begun))) !== begun) return null
  return Object.fromEntries(rows.map(({ workflow, finished }) => [workflow, Number(finished)]))
}

/** Counts as a database gives them. */
export type FinishedRow = { workflow: string } & Record<'begun' | 'finished', number | string>
