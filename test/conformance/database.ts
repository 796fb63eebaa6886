import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

export type Row = Record<string, unknown>

/** The database of one n8n, read and never written. */
export interface Database {
  tables(): Promise<string[]>
  rows(table: string): Promise<Row[]>
  close(): Promise<void>
}

/** Opened for each look, because n8n makes the file and may be killed during the test. */
export function sqlite(file: string): Database {
  const all = async (query: string) => {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
    try {
      return database.prepare(query).all() as Row[]
    } finally {
      database.close()
    }
  }
  return {
    tables: async () =>
      (await all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")).map(({ name }) =>
        String(name),
      ),
    rows: (table) => all(`SELECT * FROM "${table}"`),
    close: async () => {},
  }
}

export function postgres(port: number, password: string, database: string): Database {
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'n8n', password, database, max: 2 })
  return {
    tables: async () =>
      (await pool.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).rows.map(({ tablename }) =>
        String(tablename),
      ),
    rows: async (table) => (await pool.query(`SELECT * FROM "${table}"`)).rows as Row[],
    close: () => pool.end(),
  }
}
