import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { isPostgresql, postgresqlLogin, schemaOf, sqliteFile, tablePrefixOf, type Settings } from './settings.ts'

/** n8n's database, whichever it is: the same question in the same SQL, with `$1` for its first value. */
export interface Database {
  ask<Row extends object>(sql: string, values?: Value[]): Promise<Row[]>
  /** Writes: only what the lab itself has started is given to it. */
  change(sql: string, values: Value[]): Promise<void>
  /** A table of n8n's, as SQL names it. */
  table(name: string): string
  /** The columns of a table of n8n's; none where this n8n does not have the table. */
  columns(name: string): Promise<Set<string>>
  /** The highest number that a table has given to a row, whether the row is still there or not. */
  given(name: string): Promise<number>
  size(): Promise<{ bytes: number; transactions: number | null }>
  /** What n8n's connections do right now. Absent where the database does not say. */
  activity?(): Promise<Activity>
  /** Where a text begins in another, from 1; 0 if it is not in it. */
  find(text: string, part: string): string
  /** Epoch milliseconds of a column of times. */
  epoch(time: string): string
  close(): Promise<void>
}

export type Value = string | number

/** How many connections of n8n's are at work in the database. */
export interface Activity {
  active: number
  /** How many of them wait for its disk. */
  onDisk: number
  /** How many of them read the list of executions that n8n's editor shows. */
  lists: number
  /** Since the database was made. */
  transactions: number
  /** Bytes in the journal so far; absent where it does not say. */
  written?: number
}

/** Connects with n8n's own settings, as they apply where the lab runs. */
export const openDatabase = (settings: Settings): Database =>
  isPostgresql(settings) ? openPostgresql(settings) : openSqlite(settings)

/** Milliseconds: a database under load takes its time to read what a long step left in it. */
const patience = { query: 20_000, connection: 25_000, farewell: 2000 }

export const connectionTo = (settings: Settings): pg.ClientConfig => ({
  ...postgresqlLogin(settings),
  query_timeout: patience.query,
  // Longer than the query that the next one waits for.
  connectionTimeoutMillis: patience.connection,
})

/** Opens only one connection: n8n's pool is small, and both share the limit of the database. */
function openPostgresql(settings: Settings): Database {
  const pool = new pg.Pool({ ...connectionTo(settings), max: 1 })
  // If the connection breaks, the next query fails and reports it.
  pool.on('error', () => {})
  const ask = async <Row extends object>(sql: string, values: Value[] = []) => (await pool.query<Row>(sql, values)).rows
  let tellsJournal = true
  const journal = async (): Promise<{ written?: number }> => {
    if (!tellsJournal) return {}
    try {
      const [row] = await ask<{ written: string }>("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS written")
      return { written: Number(row!.written) }
    } catch {
      // Some databases that speak PostgreSQL's protocol have no such journal. The rest is told without it.
      tellsJournal = false
      return {}
    }
  }
  const table = (name: string) => `"${schemaOf(settings)}"."${tablePrefixOf(settings)}${name}"`
  return {
    ask,
    change: async (sql, values) => void (await ask(sql, values)),
    table,
    async columns(name) {
      const rows = await ask<{ name: string }>(
        'SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped',
        [table(name)],
      )
      return new Set(rows.map((row) => row.name))
    },
    async given(name) {
      const [of] = await ask<{ sequence: string }>('SELECT pg_get_serial_sequence($1, $2) AS sequence', [
        table(name),
        'id',
      ])
      const [state] = await ask<{ last: string; called: boolean }>(
        `SELECT last_value AS last, is_called AS called FROM ${of!.sequence}`,
      )
      return state!.called ? Number(state!.last) : 0
    },
    async size() {
      const [row] = await ask<Record<'bytes' | 'transactions', string>>(
        `SELECT pg_database_size(datname) AS bytes, xact_commit + xact_rollback AS transactions
        FROM pg_stat_database WHERE datname = current_database()`,
      )
      return { bytes: Number(row!.bytes), transactions: Number(row!.transactions) }
    },
    async activity() {
      // Who waits for another's flush of the journal waits for the disk as well.
      const [row] = await ask<Record<'active' | 'disk' | 'lists' | 'transactions', string>>(
        `SELECT count(*) AS active, count(*) FILTER (WHERE wait_event_type = 'IO' OR wait_event = 'WALWrite') AS disk,
        count(*) FILTER (WHERE query LIKE '%"annotation_tags_id"%') AS lists,
        (SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()) AS transactions
        FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user
        AND pid <> pg_backend_pid() AND state = 'active'`,
      )
      const { active, disk, lists, transactions } = row!
      return {
        active: Number(active),
        onDisk: Number(disk),
        lists: Number(lists),
        transactions: Number(transactions),
        ...(await journal()),
      }
    },
    find: (text, part) => `strpos(${text}, ${part})`,
    epoch: (time) => `1000 * extract(epoch FROM ${time})`,
    // One that hangs does not even confirm the farewell.
    close: () => Promise.race([pool.end(), setTimeout(patience.farewell, undefined, { ref: false })]),
  }
}

/** Opened for each question: a reader that stays connected would keep n8n from emptying its journal. */
function openSqlite(settings: Settings): Database {
  const file = sqliteFile(settings)
  const named = (name: string) => tablePrefixOf(settings) + name

  const numbered = (values: Value[]) => Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]))

  async function ask<Row extends object>(sql: string, values: Value[] = []): Promise<Row[]> {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
    try {
      return database.prepare(sql).all(numbered(values)) as unknown as Row[]
    } finally {
      database.close()
    }
  }

  async function change(sql: string, values: Value[]): Promise<void> {
    const database = new DatabaseSync(file, { timeout: 10_000 })
    try {
      database.prepare(sql).run(numbered(values))
    } finally {
      database.close()
    }
  }

  return {
    ask,
    change,
    table: (name) => `"${named(name)}"`,
    columns: async (name) => {
      const rows = await ask<{ name: string }>('SELECT name FROM pragma_table_info($1)', [named(name)])
      return new Set(rows.map((row) => row.name))
    },
    async given(name) {
      const [row] = await ask<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = $1', [named(name)])
      return Number(row?.seq ?? 0)
    },
    async size() {
      const [row] = await ask<Record<'pages' | 'size', number>>(
        `SELECT page_count - freelist_count AS pages, page_size AS size
        FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
      )
      return { bytes: row!.pages * row!.size, transactions: null }
    },
    find: (text, part) => `instr(${text}, ${part})`,
    epoch: (time) => `1000 * unixepoch(${time}, 'subsec')`,
    close: async () => {},
  }
}
