import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { entriesOf, type Books, type Row } from './books.ts'

/** Opened for each question: a reader that stays would keep n8n from emptying its journal. */
export function openSqlite(settings: Record<string, string>): Books {
  const file = join(settings.N8N_USER_FOLDER ?? settings.HOME ?? '', '.n8n', settings.DB_SQLITE_DATABASE ?? 'database.sqlite')
  const table = `${settings.DB_TABLE_PREFIX ?? ''}execution_entity`

  function ask<T>(question: (database: DatabaseSync) => T): T {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
    try {
      return question(database)
    } finally {
      database.close()
    }
  }

  const newestIn = (database: DatabaseSync) => Number(database.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.seq ?? 0)

  return {
    newest: async () => ask(newestIn),
    since: async (id) =>
      ask((database) => {
        const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(table)
        // n8n 0.x deletes at once what it does not keep.
        const kept = columns.some(({ name }) => name === 'deletedAt') ? 'AND deletedAt IS NULL' : ''
        const rows = database.prepare(`SELECT id, status FROM "${table}" WHERE id > ? AND status <> 'success' ${kept}`).all(id)
        return entriesOf(newestIn(database) - id, rows as unknown as Row[])
      }),
    close: async () => {},
  }
}
