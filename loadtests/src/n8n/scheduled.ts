import { openDatabase } from './database.ts'
import type { Settings } from './settings.ts'

/** An execution of some minutes, as n8n's database has it. Times are epoch milliseconds. */
export interface KeptRun {
  workflow: string
  /** The clock began it, and not a caller. */
  scheduled: boolean
  /** The second at which it was due, where n8n wrote it down: 2.x does. */
  due: number | null
  created: number
  /** When it ended; null while it has not. */
  ended: number | null
  failed: boolean
}

/** Reads what began between two moments, of these workflows. */
export interface KeptRuns {
  between(from: number, until: number): Promise<KeptRun[]>
  /** How many of the workflows the clock has begun since then. */
  begun(since: number): Promise<number>
  close(): Promise<void>
}

/** `scheduled` and `called`: ids of workflows that the clock begins, and that callers do. */
export function openKeptRuns(settings: Settings, scheduled: string[], called: string[]): KeptRuns {
  const database = openDatabase(settings)
  const table = database.table('execution_entity')
  const created = database.epoch('"createdAt"')
  const isScheduled = new Set(scheduled)
  const isOurs = new Set([...scheduled, ...called])
  const isOfClock = (workflow: string, mode: string) => mode === 'trigger' && isScheduled.has(workflow)
  return {
    async between(from, until) {
      const named = (await database.columns('execution_entity')).has('deduplicationKey')
      const rows = await database.ask<Record<'workflow' | 'mode' | 'created' | 'ended' | 'key' | 'status', unknown>>(
        `SELECT CAST("workflowId" AS text) AS workflow, mode, status, ${created} AS created,
        ${database.epoch('"stoppedAt"')} AS ended, ${named ? '"deduplicationKey"' : 'NULL'} AS key
        FROM ${table} WHERE mode IN ('trigger', 'webhook') AND ${created} >= $1 AND ${created} < $2`,
        [from, until],
      )
      return rows.flatMap((row) => {
        const [workflow, mode] = [String(row.workflow), String(row.mode)]
        if (!isOurs.has(workflow)) return []
        return {
          workflow,
          scheduled: isOfClock(workflow, mode),
          due: dueIn(row.key),
          created: Number(row.created),
          ended: row.ended === null ? null : Number(row.ended),
          failed: /^(error|failed|crashed|canceled)$/.test(String(row.status)),
        }
      })
    },
    async begun(since) {
      const rows = await database.ask<{ workflow: string }>(
        `SELECT DISTINCT CAST("workflowId" AS text) AS workflow FROM ${table}
        WHERE mode = 'trigger' AND ${created} >= $1`,
        [since],
      )
      return rows.filter(({ workflow }) => isScheduled.has(workflow)).length
    },
    close: database.close,
  }
}

/** A key ends in the time at which the run was due, in whichever way n8n writes it. */
function dueIn(key: unknown): number | null {
  if (typeof key !== 'string') return null
  const text = /(\d{4}-\d\d-\d\dT[\d:.]+Z|\d{13})$/.exec(key)?.[1]
  if (text === undefined) return null
  return text.includes('T') ? Date.parse(text) : Number(text)
}
