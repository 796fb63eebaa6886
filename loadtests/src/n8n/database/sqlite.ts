import { DatabaseSync } from 'node:sqlite'
import { sqliteFile } from '../settings.ts'
import {
  countsOf,
  finishedOf,
  timesOf,
  type ExecutionDatabase,
  type Row,
  type TimedRow,
  type FinishedRow,
} from './rows.ts'

/** Opened for each question: a reader that stays connected would keep n8n from emptying its journal. */
export function openSqlite(settings: Record<string, string>): ExecutionDatabase {
  const file = sqliteFile(settings)
  const table = `${settings.DB_TABLE_PREFIX ?? ''}execution_entity`

  function ask<T>(question: (database: DatabaseSync) => T): T {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
    try {
      return question(database)
    } finally {
      database.close()
    }
  }

  const begunIn = (database: DatabaseSync) =>
    Number(database.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.seq ?? 0)

  const has = (database: DatabaseSync, column: string) =>
    database
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(table)
      .some(({ name }) => name === column)

  return {
    look: async () =>
      ask((database) => {
        // n8n 0.x deletes executions that it does not keep at once.
        const kept = has(database, 'deletedAt') ? 'AND deletedAt IS NULL' : ''
        const rows = database.prepare(`SELECT id, status FROM "${table}" WHERE status <> 'success' ${kept}`).all()
        return countsOf(begunIn(database), rows as unknown as Row[])
      }),
    times: async (after) =>
      ask((database) => {
        if (!has(database, 'createdAt')) return null
        const between = (from: string, to: string) =>
          `1000 * (unixepoch(${to}, 'subsec') - unixepoch(${from}, 'subsec'))`
        const rows = database
          .prepare(
            `SELECT ${between('createdAt', 'startedAt')} AS waited, ${between('startedAt', 'stoppedAt')} AS `
              + `ran FROM "${table}" WHERE id > ? AND startedAt >= createdAt AND stoppedAt >= startedAt`,
          )
          .all(after)
        return timesOf(begunIn(database) - after, rows as unknown as TimedRow[])
      }),
    finishedBy: async (after) =>
      ask((database) => {
        if (!has(database, 'deletedAt')) return null
        const rows = database
          .prepare(
            `SELECT workflowId AS workflow, count(*) AS begun, sum(status = 'success' OR deletedAt IS NOT `
              + `NULL) AS finished FROM "${table}" WHERE id > ? GROUP BY workflowId`,
          )
          .all(after)
        return finishedOf(begunIn(database) - after, rows as unknown as FinishedRow[])
      }),
    size: async () =>
      ask((database) => {
        const kept = has(database, 'deletedAt') ? 'WHERE deletedAt IS NULL' : ''
        const { pages, size } = database
          .prepare(
            'SELECT page_count - freelist_count AS pages, page_size AS size '
              + 'FROM pragma_page_count, pragma_freelist_count, pragma_page_size',
          )
          .get() as Record<'pages' | 'size', number>
        const rows = database.prepare(`SELECT count(*) AS kept FROM "${table}" ${kept}`).get()
        return { bytes: pages * size, kept: Number(rows!.kept), transactions: null }
      }),
    close: async () => {},
  }
}
