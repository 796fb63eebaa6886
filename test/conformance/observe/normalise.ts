import type { Row } from '../database.ts'
import type { Known } from './known.ts'
import { answerRules, columnRules, keyRules, leftOut, textRules, withoutOrder } from './rules.ts'
import { unpackData, unpackJson } from './unpack.ts'

/** The same value, with shared names in place of the ids that each side made. */
export function makeComparable(value: unknown, known: Known, rules = keyRules): unknown {
  if (typeof value === 'string') return text(value, known)
  if (value instanceof Date) return '<time>'
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map((one) => makeComparable(one, known, rules))
  if (typeof value !== 'object' || value === null) return value
  const isExecution = 'workflowId' in value && 'id' in value && known.executions.has(String(value.id))
  const named = ([name, one]: [string, unknown]) => [
    text(name, known),
    isExecution && name === 'id' ? known.executions.get(String(one)) : underKey(name, one, known, rules),
  ]
  return Object.fromEntries(Object.entries(value).map(named))
}

export const makeAnswerComparable = (value: unknown, known: Known) =>
  makeComparable(value, known, [...answerRules, ...keyRules])

function underKey(name: string, value: unknown, known: Known, rules: typeof keyRules): unknown {
  if (value === null || value === undefined) return value
  if (/^(executionId|retryOf|retrySuccessId|parentExecutionId)$/.test(name))
    return known.executions.get(String(value)) ?? value
  if (typeof value !== 'object' || value instanceof Date) {
    const rule = rules.find(({ keys }) => keys.test(name))
    if (rule) return rule.as
  }
  const unpacked = name === 'body' ? unpackJson(value) : name === 'data' ? unpackData(value) : value
  const comparable = makeComparable(unpacked, known, rules)
  return Array.isArray(comparable) && withoutOrder.test(name) ? sorted(comparable) : comparable
}

const sorted = (list: unknown[]): unknown[] =>
  list
    .map((one) => JSON.stringify(one))
    .sort()
    .map((one) => JSON.parse(one) as unknown)

function text(value: string, { executions, ids, anyId }: Known): string {
  const ruled = textRules.reduce((result, { find, as }) => result.replace(find, as), value)
  return ruled
    .replace(anyId, (id) => ids.get(id)!)
    .replace(/((?:-waiting|executions?|Execution)[/ ":]+)(\d+)\b/g, (whole, before: string, id: string) =>
      executions.has(id) ? before + executions.get(id) : whole,
    )
}

/** Rows by what they are called, else in an order of their own, so that only what they hold counts. */
export function makeTablesComparable(tables: Record<string, Row[]>, known: Known): Record<string, unknown> {
  const compared = Object.entries(tables).filter(([table]) => !(table in leftOut))
  return Object.fromEntries(
    compared.map(([table, rows]) => [text(table, known), byName(rows.map((row) => rowComparable(table, row, known)))]),
  )
}

function rowComparable(table: string, row: Row, known: Known): Row {
  const column = (name: string, value: unknown) => {
    if (value === null) return value
    if (table === 'execution_entity' && name === 'id') return known.executions.get(String(value))
    if (table.startsWith('insights_') && name === 'metaId') return known.insights.get(String(value))
    const rule = columnRules.find((one) => one.table.test(table) && one.column.test(name) && (one.when?.(row) ?? true))
    return rule?.as ?? (name === 'data' ? unpackData(value) : unpackJson(value))
  }
  return makeComparable(
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, column(name, value)])),
    known,
  ) as Row
}

function byName(rows: Row[]): unknown {
  const names = rows.map(({ executionId, id, key }) => String(executionId ?? id ?? key))
  if (new Set(names).size === rows.length) return Object.fromEntries(rows.map((row, index) => [names[index], row]))
  return sorted(rows)
}
