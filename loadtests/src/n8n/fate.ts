import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { postgresqlServer, sqliteFile } from './settings.ts'
import { hasEnded, type Executed } from '../fault/oracle.ts'

/** Finds the execution of each request, by the id that the request carried into its data. */
export interface Ledger {
  /** Notes the executions so far. If a worker dies, n8n replaces the data of its executions, and their ids are gone. */
  note(settings: Settings): Promise<void>
  /** All noted executions, with their present state in n8n's database. */
  executions(settings: Settings): Promise<Executed[]>
}

type Settings = Record<string, string>

/** The trace is the common beginning of all requests' ids. */
export function openLedger(trace: string): Ledger {
  const known = new Map<number, { request: string; retry: boolean }>()
  let first = Infinity
  let last = 0

  async function note(settings: Settings): Promise<void> {
    // Several processes may write their rows out of the order of their ids.
    const rows = await ask<Carrying>(settings, carrying(settings), [`${trace}-`, last - 100])
    for (const { id, mode, told } of rows) {
      first = Math.min(first, Number(id))
      last = Math.max(last, Number(id))
      known.set(Number(id), { request: told.match(/^[\w-]+/)![0], retry: mode === 'retry' })
    }
  }

  return {
    note,
    async executions(settings) {
      await note(settings)
      // Which of them are this load’s cannot be told without any.
      if (known.size === 0) return []
      const rows = await ask<State>(settings, await states(settings), [first])
      const left = new Set(rows.map(({ id }) => Number(id)))
      const gone = [...known.keys()].filter((id) => !left.has(id)).map((id) => ({ id, status: '', deleted: 1 }))
      return [...rows, ...gone].map((row) => ({
        request: null,
        retry: false,
        ...known.get(Number(row.id)),
        execution: String(row.id),
        status: statusOf(row),
      }))
    },
  }
}

interface Carrying {
  id: string | number
  mode: string
  /** The row's text, from the request's id on. */
  told: string
}

interface State {
  id: string | number
  status: string
  /** Whether n8n has marked the row for deletion; the row itself is deleted later. */
  deleted: boolean | number
}

/**
 * n8n deletes an execution that it is told not to keep when it has ended, and leaves the status in its row as it was
 * before. What ends badly is kept by default, so what is deleted ended well.
 */
const statusOf = ({ status, deleted }: State): string => (deleted && !hasEnded(status) ? 'success' : status)

/** The column of the mark is there from n8n 1 on. */
async function states(settings: Settings): Promise<string> {
  const table = tableIn(settings, 'execution_entity')
  const deleted = isPostgresql(settings)
    ? `(to_jsonb(execution) ->> 'deletedAt') IS NOT NULL`
    : (await hasMark(settings))
      ? '"deletedAt" IS NOT NULL'
      : 'false'
  return (
    `SELECT id, status, ${deleted} AS deleted FROM ${table} AS execution `
    + `WHERE mode IN ('webhook', 'retry') AND id >= $1 ORDER BY id`
  )
}

async function hasMark(settings: Settings): Promise<boolean> {
  const columns = 'SELECT name FROM pragma_table_info($1)'
  const rows = await askSqlite<{ name: string }>(settings, columns, [
    `${settings.DB_TABLE_PREFIX ?? ''}execution_entity`,
  ])
  return rows.some(({ name }) => name === 'deletedAt')
}

/** Executions in other modes belong to sub-workflows, which get the same data. */
function carrying(settings: Settings): string {
  const find = isPostgresql(settings) ? 'strpos(data.data, $1)' : 'instr(data.data, $1)'
  return `
    SELECT execution.id, execution.mode, substr(data.data, ${find}, 60) AS told
    FROM ${tableIn(settings, 'execution_entity')} AS execution
    JOIN ${tableIn(settings, 'execution_data')} AS data ON data."executionId" = execution.id
    WHERE execution.mode IN ('webhook', 'retry') AND execution.id > $2 AND ${find} > 0`
}

const isPostgresql = (settings: Settings) => settings.DB_TYPE === 'postgresdb'

function tableIn(settings: Settings, name: string): string {
  const table = `"${settings.DB_TABLE_PREFIX ?? ''}${name}"`
  return isPostgresql(settings) ? `"${settings.DB_POSTGRESDB_SCHEMA ?? 'public'}".${table}` : table
}

const ask = <Row extends object>(settings: Settings, sql: string, values: (string | number)[]): Promise<Row[]> =>
  isPostgresql(settings) ? askPostgresql(settings, sql, values) : askSqlite(settings, sql, values)

async function askPostgresql<Row extends object>(settings: Settings, sql: string, values: unknown[]): Promise<Row[]> {
  const client = new pg.Client(connectionTo(settings))
  // If the connection breaks, the query fails and reports it.
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Row>(sql, values)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

export const connectionTo = (settings: Settings): pg.ClientConfig => ({
  ...postgresqlServer(settings),
  query_timeout: 20_000,
  connectionTimeoutMillis: 20_000,
})

async function askSqlite<Row>(settings: Settings, sql: string, values: (string | number)[]): Promise<Row[]> {
  const database = new DatabaseSync(sqliteFile(settings), { readOnly: true, timeout: 10_000 })
  try {
    const named = Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]))
    return database.prepare(sql).all(named) as unknown as Row[]
  } finally {
    database.close()
  }
}
