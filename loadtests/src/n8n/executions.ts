import { openDatabase, type Activity, type Database, type Value } from './database.ts'
import type { DatabaseSize, Times } from '../model/step.ts'
import type { KeptExecutions, Settings } from './settings.ts'

/** What n8n's database knows of its executions, including those whose process died. */
export interface ExecutionDatabase {
  /** The number of the newest execution: later ones have higher numbers. */
  newest(): Promise<number>
  /** Of executions after one: how many have not ended, of whatever workflow, and the first of them. */
  open(after: number): Promise<Open>
  /** What became of the executions that a load began. */
  tally(load: Begun): Promise<Tally>
  /** How long they took; null unless nearly all of so many say so. */
  times(load: Begun, accepted: number): Promise<Times | null>
  /** Those whose data holds an id that begins with the mark, with the id. Costs a look at the data of each. */
  carrying(load: Begun): Promise<Carrying[]>
  /** Each of them with its present state, and how many of that time left no row. */
  states(load: Begun): Promise<{ rows: State[]; gone: number }>
  size(): Promise<DatabaseSize>
  /** What n8n's connections do right now. Absent where the database does not say. */
  activity?(): Promise<Activity>
  close(): Promise<void>
}

/**
 * Which executions a load began: those of the called workflows, begun by a caller, after the last one before it.
 * Sub-workflows and schedules are other kinds of executions. Calls of others lack the mark.
 */
export interface Begun {
  after: number
  called: Called[]
  /** The text that each request carried in a header. */
  mark?: string
}

/** A workflow that the load calls. */
export interface Called {
  id: string
  /** Which of its executions n8n keeps. */
  kept: KeptExecutions
  /** Its executions hold the headers of their requests, and so the mark. */
  marked: boolean
}

export interface Open {
  count: number
  first: number | null
}

export interface Tally {
  /** By workflow. */
  by: Record<string, Ends>
  /** Of all kinds of executions of that time: how many left no row. */
  gone: number
  /** Others called the same workflows so often. */
  others: number
  /** The numbers of those that died with their process, and of those that have not ended: the first hundred. */
  names: { crashed: string[]; open: string[] }
}

export interface Ends {
  finished: number
  /** Ended in an error. */
  failed: number
  /** Died with their process. */
  crashed: number
  open: number
  /** Ended, and n8n was told to keep neither kind. */
  unknown: number
}

export interface Carrying {
  execution: number
  workflow: string
  request: string
  /** n8n's own retry of another execution. */
  retry: boolean
}

export interface State {
  execution: number
  outcome: ExecutionOutcome
}

export type ExecutionOutcome = keyof Ends

/** How n8n begins an execution for a caller from outside, and how it repeats one. */
const called = "'webhook'"
const calledOrRepeated = "'webhook', 'retry'"

/** With more executions than this, reading the data of each would take the database longer than the step did. */
const mostRead = 100_000
const mostNames = 100
/** The rows must be nearly all executions: n8n may delete the quickest ones first, so a part is no random sample. */
const enough = 0.9

export function openExecutions(settings: Settings): ExecutionDatabase {
  const database = openDatabase(settings)
  const table = database.table('execution_entity')

  /** In n8n 0.x an execution's data is in its own row. */
  const dataOf = async () =>
    (await database.columns('execution_data')).size > 0
      ? `(SELECT data FROM ${database.table('execution_data')} WHERE "executionId" = execution.id)`
      : 'execution.data'

  /** n8n 0.x has no mark of deletion: it deletes at once. */
  const deletedIn = async () =>
    (await database.columns('execution_entity')).has('deletedAt') ? '"deletedAt" IS NOT NULL' : 'FALSE'

  async function goneAfter(after: number): Promise<{ rows: number; gone: number }> {
    const newest = await database.given('execution_entity')
    const [row] = await database.ask<{ rows: Count }>(`SELECT count(*) AS rows FROM ${table} WHERE id > $1`, [after])
    return { rows: Number(row!.rows), gone: Math.max(0, newest - after - Number(row!.rows)) }
  }

  return {
    newest: () => database.given('execution_entity'),

    async open(after) {
      const [row] = await database.ask<{ count: Count; first: Count | null }>(
        `SELECT count(*) AS count, min(id) AS first FROM ${table}
        WHERE id > $1 AND NOT (${await deletedIn()}) AND ${outcomeOf('FALSE')} = 'open'`,
        [after],
      )
      return { count: Number(row!.count), first: row!.first === null ? null : Number(row!.first) }
    },

    async tally(load) {
      const { rows, gone } = await goneAfter(load.after)
      const deleted = await deletedIn()
      const marked = load.mark === undefined || rows > mostRead ? [] : load.called.filter((each) => each.marked)
      const values = valuesOf(load)
      const outcome =
        marked.length === 0
          ? outcomeOf(deleted)
          : outcomeOf(deleted, ofOthers(database, await dataOf(), marked, [...values, load.mark!]))
      const found = await database.ask<{ workflow: string; outcome: Found; count: Count }>(
        `SELECT CAST("workflowId" AS text) AS workflow, ${outcome} AS outcome, count(*) AS count
        FROM ${table} AS execution WHERE ${within(load, called)} GROUP BY 1, 2`,
        marked.length ? [...values, load.mark!] : values,
      )
      const named = await database.ask<{ id: Count; outcome: Found }>(
        `SELECT id, outcome FROM (SELECT id, ${outcome} AS outcome FROM ${table} AS execution
        WHERE ${within(load, called)}) AS each WHERE outcome IN ('crashed', 'open') ORDER BY id LIMIT ${mostNames}`,
        marked.length ? [...values, load.mark!] : values,
      )
      const names = (which: Found) => named.filter((row) => row.outcome === which).map(({ id }) => String(id))
      return { ...tallied(load, found), gone, names: { crashed: names('crashed'), open: names('open') } }
    },

    async times(load, accepted) {
      if (!(await database.columns('execution_entity')).has('createdAt')) return null
      const { epoch } = database
      const [created, started, stopped] = [epoch('"createdAt"'), epoch('"startedAt"'), epoch('"stoppedAt"')]
      const taken = `(SELECT ${started} - ${created} AS waited, ${stopped} - ${started} AS ran
        FROM ${table} AS execution WHERE ${within(load, called)}
        AND "startedAt" >= "createdAt" AND "stoppedAt" >= "startedAt") AS taken`
      const values = valuesOf(load)
      const [row] = await database.ask<{ count: Count }>(`SELECT count(*) AS count FROM ${taken}`, values)
      const count = Number(row!.count)
      if (count === 0 || count < enough * accepted) return null
      const at = (column: string, share: number) =>
        `(SELECT ${column} FROM ${taken} ORDER BY 1 LIMIT 1 OFFSET ${Math.ceil(share * count) - 1})`
      const [times] = await database.ask<Record<'w50' | 'w95' | 'r50' | 'r95', Count>>(
        `SELECT ${at('waited', 0.5)} AS w50, ${at('waited', 0.95)} AS w95, ${at('ran', 0.5)} AS r50,
        ${at('ran', 0.95)} AS r95`,
        values,
      )
      const { w50, w95, r50, r95 } = times!
      return { waited: { p50: Number(w50), p95: Number(w95) }, ran: { p50: Number(r50), p95: Number(r95) } }
    },

    async carrying(load) {
      const values = [...valuesOf(load), load.mark!]
      const data = await dataOf()
      const begins = database.find('data', `$${values.length}`)
      const rows = await database.ask<{ id: Count; workflow: string; mode: string; told: string }>(
        `SELECT id, workflow, mode, substr(data, ${begins}, 60) AS told
        FROM (SELECT id, CAST("workflowId" AS text) AS workflow, mode, ${data} AS data
        FROM ${table} AS execution WHERE ${within(load, calledOrRepeated)}) AS each WHERE ${begins} > 0`,
        values,
      )
      return rows.map(({ id, workflow, mode, told }) => ({
        execution: Number(id),
        workflow,
        request: told.match(/^[\w-]+/)![0],
        retry: mode === 'retry',
      }))
    },

    async states(load) {
      const rows = await database.ask<{ id: Count; workflow: string; outcome: Found }>(
        `SELECT id, CAST("workflowId" AS text) AS workflow, ${outcomeOf(await deletedIn())} AS outcome
        FROM ${table} AS execution WHERE ${within(load, calledOrRepeated)} ORDER BY id`,
        valuesOf(load),
      )
      const { gone } = await goneAfter(load.after)
      const kept = keptBy(load)
      const outcomes = rows.map(({ id, workflow, outcome }) => ({
        execution: Number(id),
        outcome: outcome === 'discarded' ? endOfDiscarded(kept.get(workflow)!) : (outcome as ExecutionOutcome),
      }))
      return { rows: outcomes, gone }
    },

    async size() {
      const [row] = await database.ask<{ kept: Count }>(
        `SELECT count(*) AS kept FROM ${table} WHERE NOT (${await deletedIn()})`,
      )
      return { ...(await database.size()), kept: Number(row!.kept) }
    },

    ...(database.activity && { activity: database.activity }),
    close: database.close,
  }
}

/** As a database returns it. */
type Count = string | number

/** What a row says; one that n8n did not keep may not say how it ended. */
type Found = Exclude<ExecutionOutcome, 'unknown'> | 'discarded' | 'other'

/** From the index of the primary key: the executions before the load are not read. */
const within = ({ called: workflows }: Begun, modes: string) =>
  `execution.id > $1 AND mode IN (${modes}) AND "workflowId" IN (${workflows.map((_, index) => `$${index + 2}`)})`

const valuesOf = ({ after, called: workflows }: Begun): Value[] => [after, ...workflows.map(({ id }) => id)]

/**
 * The end of an execution, in SQL. n8n deletes one that it is told not to keep when it has ended, and may leave the
 * status in its row as it was before.
 */
const outcomeOf = (deleted: string, other = 'FALSE') => `
  CASE WHEN ${other} THEN 'other'
  WHEN status = 'success' THEN 'finished'
  WHEN status IN ('error', 'failed', 'canceled') THEN 'failed'
  WHEN status = 'crashed' THEN 'crashed'
  WHEN ${deleted} THEN 'discarded'
  ELSE 'open' END`

/** Whether the data holds a request's headers, and not the mark. n8n replaces the data of one that it gives up. */
function ofOthers(database: Database, data: string, marked: Called[], values: Value[]): string {
  const numbers = marked.map(({ id }) => `$${values.indexOf(id) + 1}`)
  return `coalesce("workflowId" IN (${numbers}) AND ${database.find(data, `'"headers"'`)} > 0
    AND ${database.find(data, `$${values.length}`)} = 0, FALSE)`
}

const keptBy = (load: Begun) => new Map(load.called.map(({ id, kept }) => [id, kept]))

/** How one ended that n8n did not keep: as the only kind that it does not keep. */
export const endOfDiscarded = ({ success, error }: KeptExecutions): ExecutionOutcome =>
  success === error ? 'unknown' : success ? 'failed' : 'finished'

const nothing: Ends = { finished: 0, failed: 0, crashed: 0, open: 0, unknown: 0 }

function tallied(
  load: Begun,
  found: { workflow: string; outcome: Found; count: Count }[],
): Pick<Tally, 'by' | 'others'> {
  const kept = keptBy(load)
  const by: Record<string, Ends> = Object.fromEntries(load.called.map(({ id }) => [id, { ...nothing }]))
  let others = 0
  for (const { workflow, outcome, count } of found) {
    if (outcome === 'other') others += Number(count)
    else by[workflow]![outcome === 'discarded' ? endOfDiscarded(kept.get(workflow)!) : outcome] += Number(count)
  }
  return { by, others }
}
