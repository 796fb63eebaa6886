import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { postgresqlServer } from '../settings.ts'
import { countsOf, finishedOf, timesOf, type ExecutionDatabase } from './rows.ts'

/** A column that this n8n does not have yet reads as empty. */
const moment = (named: string) =>
  named.replace(/^\w+/, (column) => `(to_jsonb(execution) ->> '${column}')::timestamptz`)

/** Milliseconds. */
const farewell = 2000

/** Opens only one connection: n8n's pool is small, and both share the limit of the database. */
export function openPostgresql(settings: Record<string, string>): ExecutionDatabase {
  const table = `"${settings.DB_POSTGRESDB_SCHEMA ?? 'public'}"."${settings.DB_TABLE_PREFIX ?? ''}execution_entity"`
  const pool = new pg.Pool({
    ...postgresqlServer(settings),
    max: 1,
    query_timeout: 10_000,
    // Longer than the query that the next one waits for.
    connectionTimeoutMillis: 15_000,
  })
  // If the connection breaks, the next query fails and reports it.
  pool.on('error', () => {})

  async function begun(): Promise<number> {
    const { rows } = await pool.query<{ sequence: string }>('SELECT pg_get_serial_sequence($1, $2) AS sequence', [
      table,
      'id',
    ])
    const {
      rows: [state],
    } = await pool.query<{ last_value: string; is_called: boolean }>(
      `SELECT last_value, is_called FROM ${rows[0]!.sequence}`,
    )
    return state!.is_called ? Number(state!.last_value) : 0
  }

  return {
    async look() {
      const number = await begun()
      const { rows } = await pool.query(
        `SELECT id, status FROM ${table} AS execution WHERE status <> 'success' AND (to_jsonb(execution) ->> `
          + `'deletedAt') IS NULL`,
      )
      return countsOf(number, rows)
    },
    async times(after) {
      const moments = ['createdAt AS accepted', 'startedAt AS begun', 'stoppedAt AS done'].map(moment)
      const { rows } = await pool.query(
        `
        SELECT 1000 * extract(epoch FROM begun - accepted) AS waited, 1000 * extract(epoch FROM done - begun) AS ran
        FROM (SELECT ${moments.join(', ')}, id FROM ${table} AS execution) AS executions
        WHERE id > $1 AND begun >= accepted AND done >= begun`,
        [after],
      )
      return timesOf((await begun()) - after, rows)
    },
    async finishedBy(after) {
      const { rows } = await pool.query(
        `
        SELECT "workflowId" AS workflow, count(*) AS begun, count(*) FILTER (
          WHERE status = 'success' OR (to_jsonb(execution) ->> 'deletedAt') IS NOT NULL) AS finished
        FROM ${table} AS execution WHERE id > $1 GROUP BY "workflowId"`,
        [after],
      )
      return finishedOf((await begun()) - after, rows)
    },
    async size() {
      const { rows } = await pool.query<Record<'bytes' | 'kept' | 'transactions', string>>(
        `SELECT pg_database_size(datname) AS bytes, xact_commit + xact_rollback AS transactions, (`
          + `SELECT count(*) FROM ${table} AS execution WHERE (to_jsonb(execution) ->> 'deletedAt') IS NULL) AS kept `
          + 'FROM pg_stat_database WHERE datname = current_database()',
      )
      const { bytes, kept, transactions } = rows[0]!
      return { bytes: Number(bytes), kept: Number(kept), transactions: Number(transactions) }
    },
    async activity() {
      // Who waits for another's flush of the journal waits for the disk as well.
      const {
        rows: [row],
      } = await pool.query<Record<'active' | 'disk', string>>(
        `
        SELECT count(*) AS active, count(*) FILTER (WHERE wait_event_type = 'IO' OR wait_event = 'WALWrite') AS disk
        FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user
        AND pid <> pg_backend_pid() AND state = 'active'`,
      )
      return { active: Number(row!.active), onDisk: Number(row!.disk) }
    },
    // One that hangs does not even confirm the farewell.
    close: () => Promise.race([pool.end(), setTimeout(farewell, undefined, { ref: false })]),
  }
}
