import type { Row } from '../database.ts'
import { columnRules, keyRules, leftOut, textRules } from './rules.ts'

/** Ids that this side's n8n has made, and the names that they have on both sides. */
export interface Known {
  /** `workflow#2` is its second execution. */
  executions: Map<string, string>
  /** Of projects, users and whatever else has a random one: the table it is in. */
  ids: Map<string, string>
}

export function learn(tables: Record<string, Row[]>): Known {
  const executions = new Map<string, string>()
  const counts: Record<string, number> = {}
  for (const { id, workflowId } of [...(tables.execution_entity ?? [])].sort((a, b) => Number(a.id) - Number(b.id))) {
    counts[String(workflowId)] = (counts[String(workflowId)] ?? 0) + 1
    executions.set(String(id), `${workflowId}#${counts[String(workflowId)]}`)
  }
  const ids = new Map<string, string>()
  for (const [table, rows] of Object.entries(tables)) for (const { id } of rows) if (isRandom(id)) ids.set(id, `<${table}>`)
  return { executions, ids }
}

/** As nanoid makes them; cases name their own in small letters, and n8n its built-in ones with a colon. */
const isRandom = (id: unknown): id is string => typeof id === 'string' && /^\w{16,22}$/.test(id) && /\d|[A-Z]/.test(id)

export function makeComparable(value: unknown, known: Known): unknown {
  if (typeof value === 'string') return text(value, known)
  if (value instanceof Date) return '<time>'
  if (Buffer.isBuffer(value) || value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map((one) => makeComparable(one, known))
  if (typeof value !== 'object' || value === null) return value
  const isExecution = 'workflowId' in value && 'id' in value && known.executions.has(String(value.id))
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [makeName(name, known), isExecution && name === 'id' ? known.executions.get(String(one)) : underKey(name, one, known)]),
  )
}

const makeName = (name: string, known: Known) => text(name, known)

function underKey(name: string, value: unknown, known: Known): unknown {
  if (value === null || value === undefined) return value
  if (/^(executionId|retryOf|retrySuccessId|parentExecutionId)$/.test(name)) return known.executions.get(String(value)) ?? value
  if (typeof value !== 'object' || value instanceof Date) {
    const rule = keyRules.find(({ keys }) => keys.test(name))
    if (rule) return rule.as
  }
  // What is an answer of n8n's is compared by its parts.
  if (name === 'body' && typeof value === 'string') return makeComparable(parsed(value), known)
  return makeComparable(value, known)
}

function parsed(body: string): unknown {
  try {
    const value = JSON.parse(body) as unknown
    return typeof value === 'object' && value !== null ? { json: value } : body
  } catch {
    return body
  }
}

function text(value: string, { executions, ids }: Known): string {
  const ruled = textRules.reduce((result, { find, as }) => result.replace(find, as), value)
  return ruled
    .replace(/\b\w{16,22}\b/g, (word) => ids.get(word) ?? word)
    .replace(/((?:-waiting|executions?|Execution|execution)[/ ":]+)(\d+)\b/g, (whole, before: string, id: string) => (executions.has(id) ? before + executions.get(id) : whole))
}

/** Rows in an order of their own, so that only what they hold counts. */
export function makeTablesComparable(tables: Record<string, Row[]>, known: Known): Record<string, unknown[]> {
  const compared = Object.entries(tables).filter(([table]) => !(table in leftOut))
  return Object.fromEntries(
    compared.map(([table, rows]) => {
      const normal = rows.map((row) => makeComparable(Object.fromEntries(Object.entries(row).map(([column, value]) => [column, ofColumn(table, column, value, known)])), known))
      return [text(table, known), normal.map((row) => JSON.stringify(row)).sort().map((row) => JSON.parse(row) as unknown)]
    }),
  )
}

function ofColumn(table: string, column: string, value: unknown, known: Known): unknown {
  if (value === null) return value
  if (table === 'execution_entity' && column === 'id') return known.executions.get(String(value))
  return columnRules.find((rule) => rule.table.test(table) && rule.column.test(column))?.as ?? value
}
