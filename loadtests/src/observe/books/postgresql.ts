import pg from 'pg'
import { entriesOf, type Books } from './books.ts'

/** One connection: n8n's own pool is small, and shares the database's limit with it. */
export function openPostgresql(settings: Record<string, string>): Books {
  const table = `"${settings.DB_POSTGRESDB_SCHEMA ?? 'public'}"."${settings.DB_TABLE_PREFIX ?? ''}execution_entity"`
  const pool = new pg.Pool({
    host: settings.DB_POSTGRESDB_HOST,
    port: Number(settings.DB_POSTGRESDB_PORT),
    user: settings.DB_POSTGRESDB_USER,
    password: settings.DB_POSTGRESDB_PASSWORD,
    database: settings.DB_POSTGRESDB_DATABASE,
    max: 1,
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
  })
  // A database that goes away is told by the next question.
  pool.on('error', () => {})

  async function newest(): Promise<number> {
    const { rows } = await pool.query<{ sequence: string }>('SELECT pg_get_serial_sequence($1, $2) AS sequence', [table, 'id'])
    const { rows: [state] } = await pool.query<{ last_value: string; is_called: boolean }>(`SELECT last_value, is_called FROM ${rows[0]!.sequence}`)
    return state!.is_called ? Number(state!.last_value) : 0
  }

  return {
    newest,
    async since(id) {
      const begun = (await newest()) - id
      const { rows } = await pool.query(`SELECT id, status FROM ${table} AS execution WHERE id > $1 AND status <> 'success' AND (to_jsonb(execution) ->> 'deletedAt') IS NULL`, [id])
      return entriesOf(begun, rows)
    },
    close: () => pool.end(),
  }
}
