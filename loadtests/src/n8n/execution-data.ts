import { openDatabase } from './database.ts'
import type { Settings } from './settings.ts'

/** One execution as n8n kept it: which nodes ran, and what became of them. */
export interface ExecutionData {
  id: number
  workflow: string
  /** That of n8n; `discarded` where n8n deleted it at its end, as told, and left the status as it was before. */
  status: string
  /** By node, in the order in which they ran first; empty where n8n kept no data. */
  nodes: ExecutedNode[]
  /** Milliseconds from the start of its first node to the end of its last; null where none ran. */
  took: number | null
  error: ExecutionError | null
}

export interface ExecutedNode {
  name: string
  runs: number
  /** How many items each of its outputs handed on, over all runs. */
  items: number[]
  /** Milliseconds, over all runs. */
  took: number
  /** When each run began and ended, in milliseconds of the clock. */
  spans: [from: number, to: number][]
  /** The first item of its first output. */
  first: unknown
  error: string | null
}

export interface ExecutionError {
  /** Null where no node failed, but the workflow as a whole. */
  node: string | null
  message: string
  description: string | null
  /** The parameter, or the expression, that failed. */
  where: string | null
}

/** Whether n8n will do nothing more with it by itself. */
export const isOver = ({ status }: Pick<ExecutionData, 'status'>): boolean => !open.includes(status)

const open = ['new', 'running', 'unknown']
const unfinished = open.map((status) => `'${status}'`).join(', ')

/** The executions of these workflows after a number, the first ones first. */
export async function executionsOf(settings: Settings, workflows: string[], after = 0): Promise<ExecutionData[]> {
  const database = openDatabase(settings)
  try {
    // In n8n 0.x an execution's data is in its own row.
    const data =
      (await database.columns('execution_data')).size > 0
        ? `(SELECT data FROM ${database.table('execution_data')} WHERE "executionId" = execution.id)`
        : 'execution.data'
    const deleted = (await database.columns('execution_entity')).has('deletedAt') ? '"deletedAt" IS NOT NULL' : 'FALSE'
    const marks = workflows.map((_, index) => `$${index + 2}`).join(', ')
    const rows = await database.ask<Row>(
      `SELECT id, CASE WHEN ${deleted} AND status IN (${unfinished}) THEN 'discarded' ELSE status END AS status,
        CAST("workflowId" AS text) AS workflow, ${data} AS data
      FROM ${database.table('execution_entity')} AS execution
      WHERE id > $1 AND CAST("workflowId" AS text) IN (${marks}) ORDER BY id LIMIT 500`,
      [after, ...workflows],
    )
    return rows.map(({ id, status, workflow, data }) => ({ id: Number(id), workflow, status, ...readData(data) }))
  } finally {
    await database.close()
  }
}

interface Row {
  id: string | number
  status: string
  workflow: string
  data: string | null
}

interface Told {
  resultData?: {
    error?: ToldError
    lastNodeExecuted?: string
    runData?: Record<string, ToldRun[]>
  }
}

interface ToldRun {
  startTime?: number
  executionTime?: number
  data?: Record<string, ({ json?: unknown }[] | null)[]>
  error?: ToldError
}

interface ToldError {
  message?: string
  description?: string | null
  node?: { name?: string }
  context?: { parameter?: string }
  messages?: string[]
}

/** What a node handed on in an execution: the JSON of the items of its first run. */
export interface HandedOn {
  items: unknown[]
  /** Milliseconds of that run. */
  took: number
}

/** By the names of the nodes. */
export type AllHandedOn = Map<string, HandedOn>

/**
 * What each node handed on in an execution as n8n's API, its editor or its database gives it; null where
 * it is none, or was read without its data.
 */
export function handedOnIn(given: unknown): AllHandedOn | null {
  let one = given
  // The answer of an API, the execution in it, and its data, which may be a text.
  for (let depth = 0; depth < 4; depth++) {
    if (typeof one === 'string') one = unflattened(one)
    if (typeof one !== 'object' || one === null) return null
    if ('resultData' in one) {
      const { runData = {} } = (one as Told).resultData ?? {}
      return new Map(
        Object.entries(runData).flatMap(([name, [run]]) => {
          const outputs = run?.data?.main ?? Object.values(run?.data ?? {})[0] ?? []
          const items = outputs.find((all) => all?.length) ?? []
          return items.length ? [[name, { items: items.map(({ json }) => json), took: run!.executionTime ?? 0 }]] : []
        }),
      )
    }
    one = (one as { data?: unknown }).data
  }
  return null
}

function readData(text: string | null): Pick<ExecutionData, 'nodes' | 'took' | 'error'> {
  const told = text === null ? null : unflattened(text)
  const { runData = {}, error, lastNodeExecuted } = told?.resultData ?? {}
  const nodes = Object.entries(runData).map(([name, runs]): ExecutedNode => {
    const outputs = runs.flatMap(({ data = {} }) => Object.values(data).flat().slice(0, 12))
    const main = runs.map(({ data }) => data?.main ?? Object.values(data ?? {})[0] ?? [])
    const width = Math.max(0, ...main.map((all) => all.length))
    return {
      name,
      runs: runs.length,
      items: Array.from({ length: width }, (_, index) => main.reduce((sum, all) => sum + (all[index]?.length ?? 0), 0)),
      spans: runs.flatMap(({ startTime, executionTime = 0 }) =>
        startTime === undefined ? [] : [[startTime, startTime + executionTime] as [number, number]],
      ),
      took: runs.reduce((sum, { executionTime = 0 }) => sum + executionTime, 0),
      first: outputs.flatMap((items) => items ?? [])[0]?.json ?? null,
      error: runs.map((run) => run.error?.message ?? null).find((message) => message !== null) ?? null,
    }
  })
  const spans = nodes.flatMap((node) => node.spans)
  return {
    nodes,
    took: spans.length ? Math.max(...spans.map(([, to]) => to)) - Math.min(...spans.map(([from]) => from)) : null,
    error: error
      ? {
          node: error.node?.name ?? lastNodeExecuted ?? null,
          message: error.message ?? 'unknown error',
          description:
            [error.description, ...(error.messages ?? [])].find(
              (one) => typeof one === 'string' && one !== error.message,
            ) ?? null,
          where: error.context?.parameter ?? null,
        }
      : null,
  }
}

/** n8n writes its data as a list, in which texts that are numbers stand for other entries. */
function unflattened(text: string): Told | null {
  const entries = JSON.parse(text) as unknown[]
  const made = new Map<number, unknown>()
  const at = (index: number): unknown => {
    if (made.has(index)) return made.get(index)
    const entry = entries[index]
    if (typeof entry !== 'object' || entry === null) return entry
    const whole: Record<string, unknown> | unknown[] = Array.isArray(entry) ? [] : {}
    made.set(index, whole)
    for (const [key, value] of Object.entries(entry))
      (whole as Record<string, unknown>)[key] = typeof value === 'string' ? at(Number(value)) : value
    return whole
  }
  return at(0) as Told
}

/**
 * The data of a successful execution, had it failed at its end: what its nodes did, and an error with its stack. The
 * text as it is where it has another form.
 */
export function asFailed(text: string): string {
  const entries = JSON.parse(text) as unknown[]
  const whole = entries[0] as Record<string, string> | undefined
  const result = entries[Number(whole?.resultData)] as Record<string, unknown> | undefined
  if (typeof result !== 'object' || result === null) return text
  const add = (entry: unknown) => String(entries.push(entry) - 1)
  const error = add({
    level: add('error'),
    name: add('NodeApiError'),
    message: add('The service was not able to process your request'),
    description: add('Error: connect ETIMEDOUT'),
    stack: add(stack),
    timestamp: Date.now(),
    node: add({ name: result.lastNodeExecuted ?? add('HTTP Request') }),
    context: add({}),
  })
  return JSON.stringify(entries.with(Number(whole!.resultData), { ...result, error }))
}

const stack = [
  'NodeApiError: The service was not able to process your request',
  ...Array.from(
    { length: 10 },
    (_, index) =>
      `    at WorkflowExecute.runNode (/usr/local/lib/node_modules/n8n/dist/workflow-execute.js:${index}:7)`,
  ),
].join('\n')
