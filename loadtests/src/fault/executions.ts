import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Executed } from './oracle.ts'

/** Executions whose data hold the id of a request, by n8n's own settings. A trace is the part that all ids begin with. */
export async function executionsOf(trace: string, settings: Record<string, string>): Promise<Executed[]> {
  const rows = settings.DB_TYPE === 'postgresdb' ? await fromPostgresql(trace, settings) : fromSqlite(trace, settings)
  return rows.flatMap(({ id, status, mode, told }) => {
    const request = told?.match(/^[\w-]+/)?.[0]
    return request ? [{ request, execution: String(id), status, retry: mode === 'retry' }] : []
  })
}

interface Row {
  id: string | number
  status: string
  mode: string
  /** From the id on: as much as an id may be long. */
  told: string | null
}

/** Of an id, with the trace before it. */
const longest = 60

/** Other modes are of workflows that another one called, and carry the same data. */
const select = (told: string, table: (name: string) => string) => `
  SELECT execution.id, execution.status, execution.mode, ${told} AS told
  FROM ${table('execution_entity')} AS execution JOIN ${table('execution_data')} AS data ON data."executionId" = execution.id
  WHERE execution.mode IN ('webhook', 'retry')`

async function fromPostgresql(trace: string, settings: Record<string, string>): Promise<Row[]> {
  const table = (name: string) => `"${settings.DB_POSTGRESDB_SCHEMA ?? 'public'}"."${settings.DB_TABLE_PREFIX ?? ''}${name}"`
  const client = new pg.Client(connectionTo(settings))
  // What ends it is told by the query.
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<Row>(`${select(`substring(data.data from strpos(data.data, $1) for ${longest})`, table)} AND strpos(data.data, $1) > 0`, [`${trace}-`])
    return rows
  } finally {
    await client.end()
  }
}

export const connectionTo = (settings: Record<string, string>): pg.ClientConfig => ({
  host: settings.DB_POSTGRESDB_HOST,
  port: Number(settings.DB_POSTGRESDB_PORT),
  user: settings.DB_POSTGRESDB_USER,
  password: settings.DB_POSTGRESDB_PASSWORD,
  database: settings.DB_POSTGRESDB_DATABASE,
  connectionTimeoutMillis: 10_000,
  query_timeout: 60_000,
})

function fromSqlite(trace: string, settings: Record<string, string>): Row[] {
  const file = join(settings.N8N_USER_FOLDER ?? settings.HOME ?? '', '.n8n', settings.DB_SQLITE_DATABASE ?? 'database.sqlite')
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  try {
    const table = (name: string) => `"${settings.DB_TABLE_PREFIX ?? ''}${name}"`
    const sql = `${select(`substr(data.data, instr(data.data, ?1), ${longest})`, table)} AND instr(data.data, ?1) > 0`
    return database.prepare(sql).all(`${trace}-`) as unknown as Row[]
  } finally {
    database.close()
  }
}
