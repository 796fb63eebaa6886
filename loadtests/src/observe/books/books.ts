import { openPostgresql } from './postgresql.ts'
import { openSqlite } from './sqlite.ts'

/** What n8n's database says of its executions: it knows also of those whose process died. */
export interface Books {
  /** The newest execution that was ever begun. */
  newest(): Promise<number>
  /** What became of those after that one. */
  since(id: number): Promise<Entries>
  close(): Promise<void>
}

export interface Entries {
  begun: number
  finished: number
  /** Ids, of those that ended in an error. */
  failed: string[]
  /** Of those that died with their process. */
  crashed: string[]
  /** Of those that are neither done nor given up. */
  open: string[]
}

/** A row that did not end well, or not yet. */
export interface Row {
  id: string | number
  status: string
}

const failures = new Set(['error', 'failed', 'canceled'])

/** Executions that n8n does not keep end as no row, so what ended well is what is left. */
export function entriesOf(begun: number, rows: Row[]): Entries {
  const ids = (which: (status: string) => boolean) => rows.filter(({ status }) => which(status)).map(({ id }) => String(id))
  const failed = ids((status) => failures.has(status))
  const crashed = ids((status) => status === 'crashed')
  const open = ids((status) => status !== 'crashed' && !failures.has(status))
  return { begun, finished: begun - failed.length - crashed.length - open.length, failed, crashed, open }
}

/** By n8n's own settings, as they are where the lab runs. */
export function openBooks(settings: Record<string, string>): Books {
  return settings.DB_TYPE === 'postgresdb' ? openPostgresql(settings) : openSqlite(settings)
}
