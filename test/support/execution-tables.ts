import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { postgresqlEnv, startPostgresql } from './postgresql.ts'

/** n8n 2's tables of executions in a real database of their own, written as n8n writes them. */
export interface Tables {
  /** As n8n is told where they are. */
  settings: Record<string, string>
  /** Begins an execution; returns its number. */
  insert(row: Row): Promise<number>
  change(id: number, columns: Partial<Pick<Row, 'status' | 'deletedAt' | 'startedAt' | 'stoppedAt'>>): Promise<void>
  replaceData(id: number, data: string): Promise<void>
  remove(ids: number[]): Promise<void>
  /** Forgets all of them. */
  empty(): Promise<void>
  close(): Promise<void>
}

export interface Row {
  workflow: string
  status: string
  mode?: string
  /** The headers of the request that began it, in its data. */
  headers?: Record<string, unknown>
  createdAt?: string
  startedAt?: string
  stoppedAt?: string
  deletedAt?: string
}

export const kinds = ['sqlite', 'postgresql'] as const

const definition = (number: string, moment: string) => `
  CREATE TABLE execution_entity (id ${number}, "workflowId" varchar(36) NOT NULL, mode varchar NOT NULL,
    status varchar NOT NULL, "createdAt" ${moment}, "startedAt" ${moment}, "stoppedAt" ${moment},
    "deletedAt" ${moment});
  CREATE TABLE execution_data ("executionId" integer PRIMARY KEY, data text NOT NULL);`

/** As n8n stores it: texts are in a list of their own. */
const dataOf = (headers: Row['headers']) =>
  headers === undefined ? '[]' : JSON.stringify([{ json: { headers: '1' } }, headers, ...Object.values(headers)])

type Sql = (sql: string, values?: (string | number | null)[]) => Promise<Record<string, unknown>[]>

export async function openTables(kind: (typeof kinds)[number]): Promise<Tables> {
  const { settings, run, close } = await (kind === 'sqlite' ? inSqlite() : inPostgresql())
  return {
    settings,
    async insert({ workflow, status, mode = 'webhook', headers, createdAt, startedAt, stoppedAt, deletedAt }) {
      const moments = [createdAt, startedAt, stoppedAt, deletedAt].map((moment) => moment ?? null)
      const [row] = await run(
        `INSERT INTO execution_entity ("workflowId", mode, status, "createdAt", "startedAt", "stoppedAt", "deletedAt")
        VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
        [workflow, mode, status, ...moments],
      )
      const id = Number(row!.id)
      await run('INSERT INTO execution_data VALUES ($1, $2)', [id, dataOf(headers)])
      return id
    },
    async change(id, columns) {
      for (const [column, value] of Object.entries(columns))
        await run(`UPDATE execution_entity SET "${column}" = $1 WHERE id = $2`, [value, id])
    },
    async replaceData(id, data) {
      await run('UPDATE execution_data SET data = $1 WHERE "executionId" = $2', [data, id])
    },
    async remove(ids) {
      for (const id of ids) {
        await run('DELETE FROM execution_data WHERE "executionId" = $1', [id])
        await run('DELETE FROM execution_entity WHERE id = $1', [id])
      }
    },
    async empty() {
      await run('DELETE FROM execution_data')
      await run('DELETE FROM execution_entity')
    },
    close,
  }
}

async function inSqlite() {
  const home = mkdtempSync(join(tmpdir(), 'n8n-tuned-test-'))
  mkdirSync(join(home, '.n8n'))
  const database = new DatabaseSync(join(home, '.n8n/database.sqlite'), { timeout: 5000 })
  database.exec(`PRAGMA journal_mode = WAL; ${definition('INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL', 'datetime(3)')}`)
  const run: Sql = async (sql, values = []) =>
    database.prepare(sql).all(Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value])))
  const close = async () => {
    database.close()
    rmSync(home, { recursive: true })
  }
  return { settings: { HOME: home }, run, close }
}

async function inPostgresql() {
  const server = await startPostgresql(['-c', 'fsync=off'])
  const settings = postgresqlEnv(server)
  const pool = new pg.Pool({
    host: '127.0.0.1',
    port: server.port,
    user: 'n8n',
    password: server.password,
    database: 'n8n',
  })
  await pool.query(definition('SERIAL PRIMARY KEY', 'timestamptz(3)'))
  const run: Sql = async (sql, values = []) => (await pool.query<Record<string, unknown>>(sql, values)).rows
  const close = async () => {
    await pool.end()
    await server.stop()
  }
  return { settings, run, close }
}
