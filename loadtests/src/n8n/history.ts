import { setImmediate } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { until } from '../lib/await.ts'
import { invalid } from '../lib/errors.ts'
import { openDatabase, type Database } from './database.ts'
import { asFailed } from './execution-data.ts'
import { isPostgresql, postgresqlLogin, sqliteFile, type Settings } from './settings.ts'

/**
 * A past for n8n's database: executions of a production's number and age, copied from real ones of the same n8n. Each
 * column that says when or how one ended is its own; all others, the data too, are those of a real execution.
 */

export interface Past {
  executions: number
  /** The workflows whose executions are copied. */
  workflows: string[]
  signal: AbortSignal
  /** Throws where so many bytes have no room. */
  refuse(bytes: number): void
  onProgress(seeded: number): void
}

/** One execution of so many ended in an error. */
const errorEvery = 20
/** The newest is this old, so that nothing of it counts as what goes on now. */
const newest = 3600
/** Of the time that n8n keeps executions: older ones would soon be pruned. */
const within = 0.9
/** Hours that n8n keeps executions unless told otherwise. */
const usualAge = 336
/** Bytes of an execution beside its data: its row, indexes, and the database's journal. */
const ofOneRow = 1000
/** Milliseconds until the first executions have ended. */
const ending = { timeout: 60_000, every: 200 }
/** Rows for one statement: what a run that is interrupted waits for. */
const batch = { postgresql: 50_000, sqlite: 5000 }

/** Whoever calls knows that the database is the lab's own. Returns the age of the oldest. */
export async function seedPast(settings: Settings, past: Past): Promise<{ hours: number }> {
  const database = openDatabase(settings)
  const writer = isPostgresql(settings) ? await writePostgresql(settings) : writeSqlite(settings)
  try {
    const plan = await planFor(database, settings, past)
    await writer.begin(plan)
    for (let done = 0; done < past.executions;) {
      past.signal.throwIfAborted()
      const until = Math.min(past.executions, done + writer.batch)
      await writer.copy(plan, done + 1, until)
      past.onProgress((done = until))
      // SQLite writes on the lab's own thread.
      await setImmediate()
    }
    await writer.end(plan)
    return { hours: plan.age.oldest / 3600 }
  } finally {
    await writer.close()
    await database.close()
  }
}

/** What is copied, and in which columns. */
interface CopyPlan extends Past {
  /** As SQL names them. */
  tables: { executions: string; data: string | null }
  columns: { executions: string[]; data: string[] }
  /** The numbers of the real executions. */
  templates: number[]
  /** Seconds before now. */
  age: { oldest: number; newest: number }
  /** The data of each template, had it failed. */
  failed: (string | null)[]
}

async function planFor(database: Database, settings: Settings, past: Past): Promise<CopyPlan> {
  const own = await database.columns('execution_entity')
  const data = await database.columns('execution_data')
  const [executions, executionData] = [database.table('execution_entity'), database.table('execution_data')]
  const workflow = data.has('workflowData') ? 'length(CAST("workflowData" AS text))' : '0'
  const source = data.size
    ? `SELECT execution.id, data.data, length(data.data) + ${workflow} AS bytes FROM ${executions} AS execution
      JOIN ${executionData} AS data ON data."executionId" = execution.id`
    : `SELECT execution.id, execution.data, length(data) AS bytes FROM ${executions} AS execution`
  const marks = past.workflows.map((_, index) => `$${index + 1}`).join(', ')
  const chosen = `CAST("workflowId" AS text) IN (${marks})`
  let found: { id: number | string; data: string | null; bytes: number | string | null }[] = []
  const look = async () => {
    found = await database.ask(
      `${source} WHERE status = 'success' AND ${chosen} ORDER BY execution.id LIMIT 20`,
      past.workflows,
    )
    if (found.length > 0) return true
    const open = `SELECT id FROM ${executions} WHERE status IN ('new', 'running') AND ${chosen} LIMIT 1`
    return (await database.ask(open, past.workflows)).length === 0
  }
  // One that answers before it works may not have ended.
  await until(look, { ...ending, signal: past.signal })
  past.signal.throwIfAborted()
  if (found.length === 0)
    throw invalid(
      'no-templates',
      'Expected n8n to keep the first executions of its workflows, of which --history makes more, got none.',
      'Leave --history out, or let n8n keep successful executions (EXECUTIONS_DATA_SAVE_ON_SUCCESS: all, and '
        + 'tuning.tier: tuned).',
    )
  const each = Math.max(...found.map(({ bytes }) => Number(bytes ?? 0))) + ofOneRow
  past.refuse(past.executions * each)
  const kept = 3600 * Number(settings.EXECUTIONS_DATA_MAX_AGE ?? usualAge)
  return {
    ...past,
    tables: { executions, data: data.size ? executionData : null },
    columns: { executions: [...own], data: [...data] },
    templates: found.map(({ id }) => Number(id)),
    failed: found.map(({ data: text }) => text && asFailed(text)),
    age: { oldest: Math.max(2 * newest, within * kept), newest },
  }
}

interface Writer {
  batch: number
  begin(plan: CopyPlan): Promise<void>
  /** From one number to another, of those that are to be made. */
  copy(plan: CopyPlan, from: number, to: number): Promise<void>
  end(plan: CopyPlan): Promise<void>
  close(): Promise<void>
}

/** How the two databases say the same. */
interface Dialect {
  /** A moment, so many seconds before the seeding began. */
  ago(seconds: string): string
  /** Rows of `g`, from one number to another. */
  series(from: number, to: number): string
}

const quoted = (name: string) => `"${name}"`
const list = (columns: string[]) => columns.map(quoted).join(', ')

/** The templates, numbered from 1, and each of them once more as one that failed. */
const ofExecutions = ({ tables, columns, templates }: CopyPlan) => `
  SELECT numbers.n, ${list(columns.executions)} FROM ${tables.executions} AS one
  JOIN (${templates.map((id, index) => `SELECT ${id} AS number, ${index + 1} AS n`).join(' UNION ALL ')}) AS numbers
  ON numbers.number = one.id`

const ofData = ({ tables, columns, templates }: CopyPlan) => `
  SELECT numbers.n, ${list(columns.data)} FROM ${tables.data!} AS one
  JOIN (${templates.map((id, index) => `SELECT ${id} AS number, ${index + 1} AS n`).join(' UNION ALL ')}) AS numbers
  ON numbers.number = one."executionId"`

/** One row for each `g`: its times and its end are its own. */
function copyExecutions(plan: CopyPlan, base: number, from: number, to: number, { ago, series }: Dialect): string {
  const { executions, age, templates, columns, tables } = plan
  const passed = `${age.oldest} - (${age.oldest - age.newest}.0 * g / ${executions})`
  const isError = `g % ${errorEvery} = 0`
  const own: Record<string, string> = {
    id: `${base} + g`,
    createdAt: ago(passed),
    startedAt: ago(passed),
    stoppedAt: ago(`${passed} - (20 + g % 400) / 1000.0`),
    status: `CASE WHEN ${isError} THEN 'error' ELSE status END`,
    finished: `(CASE WHEN ${isError} THEN FALSE ELSE TRUE END)`,
    // In n8n 0.x an execution has its data in its own row.
    ...(tables.data === null && { data: dataOf }),
  }
  return `INSERT INTO ${tables.executions} (${list(columns.executions)})
    SELECT ${columns.executions.map((name) => own[name] ?? `template.${quoted(name)}`).join(', ')}
    FROM ${series(from, to)} JOIN past_executions AS template ON template.n = 1 + g % ${templates.length}
    ${tables.data === null ? failedBeside : ''}`
}

const dataOf = `CASE WHEN g % ${errorEvery} = 0 THEN coalesce(failed.data, template.data) ELSE template.data END`
const failedBeside = 'LEFT JOIN past_failed AS failed ON failed.n = template.n'

function copyData(plan: CopyPlan, base: number, from: number, to: number, { series }: Dialect): string {
  const { templates, columns, tables } = plan
  const own: Record<string, string> = { executionId: `${base} + g`, data: dataOf }
  return `INSERT INTO ${tables.data!} (${list(columns.data)})
    SELECT ${columns.data.map((name) => own[name] ?? `template.${quoted(name)}`).join(', ')}
    FROM ${series(from, to)} JOIN past_data AS template ON template.n = 1 + g % ${templates.length} ${failedBeside}`
}

async function writePostgresql(settings: Settings): Promise<Writer> {
  const client = new pg.Client(postgresqlLogin(settings))
  // Otherwise a connection that breaks would end the lab.
  client.on('error', () => {})
  await client.connect()
  let base = 0
  const dialect: Dialect = {
    ago: (seconds) => `date_trunc('milliseconds', now() - (${seconds}) * interval '1 second')`,
    series: (from, to) => `generate_series(${from}, ${to}) AS g`,
  }
  return {
    batch: batch.postgresql,
    async begin(plan) {
      await client.query('SET synchronous_commit = off')
      await client.query("SET work_mem = '32MB'")
      await client.query(`CREATE TEMP TABLE past_executions AS ${ofExecutions(plan)}`)
      if (plan.tables.data) await client.query(`CREATE TEMP TABLE past_data AS ${ofData(plan)}`)
      await client.query('CREATE TEMP TABLE past_failed (n integer, data text)')
      for (const [index, data] of plan.failed.entries())
        await client.query('INSERT INTO past_failed VALUES ($1, $2)', [index + 1, data])
      // What begins meanwhile has a number after all of these.
      const { rows } = await client.query<{ base: string }>(
        `SELECT setval(sequence, nextval(sequence) + $2 - 1) - $2 AS base
        FROM (SELECT pg_get_serial_sequence($1, 'id')::regclass AS sequence) AS of`,
        [plan.tables.executions, plan.executions],
      )
      base = Number(rows[0]!.base)
    },
    async copy(plan, from, to) {
      await client.query('BEGIN')
      await client.query(copyExecutions(plan, base, from, to, dialect))
      if (plan.tables.data) await client.query(copyData(plan, base, from, to, dialect))
      await client.query('COMMIT')
    },
    async end({ tables }) {
      // As after days of use; otherwise PostgreSQL would do it in a minute, beside the load.
      for (const table of [tables.executions, tables.data]) if (table) await client.query(`VACUUM (ANALYZE) ${table}`)
      // Only those who may; elsewhere it comes by itself.
      await client.query('CHECKPOINT').catch(() => {})
    },
    close: () => client.end(),
  }
}

function writeSqlite(settings: Settings): Writer {
  const database = new DatabaseSync(sqliteFile(settings), { timeout: 10_000 })
  let base = 0
  const dialect: Dialect = {
    ago: (seconds) => `strftime('%Y-%m-%d %H:%M:%f', 'now', '-' || (${seconds}) || ' seconds')`,
    series: (from, to) =>
      `(WITH RECURSIVE numbers(g) AS (SELECT ${from} UNION ALL SELECT g + 1 FROM numbers WHERE g < ${to})
      SELECT g FROM numbers) AS series`,
  }
  return {
    batch: batch.sqlite,
    async begin(plan) {
      database.exec('PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY')
      database.exec(`CREATE TEMP TABLE past_executions AS ${ofExecutions(plan)}`)
      if (plan.tables.data) database.exec(`CREATE TEMP TABLE past_data AS ${ofData(plan)}`)
      database.exec('CREATE TEMP TABLE past_failed (n integer, data text)')
      const add = database.prepare('INSERT INTO past_failed VALUES (?, ?)')
      for (const [index, data] of plan.failed.entries()) add.run(index + 1, data)
      const name = plan.tables.executions.replaceAll('"', '')
      const [row] = database
        .prepare('UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ? RETURNING seq')
        .all(plan.executions, name)
      base = Number(row!.seq) - plan.executions
    },
    async copy(plan, from, to) {
      // n8n waits for a moment, and not until all is written.
      database.exec('BEGIN IMMEDIATE')
      database.exec(copyExecutions(plan, base, from, to, dialect))
      if (plan.tables.data) database.exec(copyData(plan, base, from, to, dialect))
      database.exec('COMMIT')
    },
    async end() {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    },
    close: async () => database.close(),
  }
}
