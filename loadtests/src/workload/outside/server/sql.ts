import { createServer, type Server, type Socket } from 'node:net'
import { rowsFor } from '../answers/tables.ts'
import type { Hint } from '../../../model/outside.ts'

/** What a database answers that holds no tables: rows with the columns that the query or the workflow names. */
export interface SqlAnswer {
  columns: string[]
  rows: unknown[][]
  /** `SELECT 2`, `INSERT 0 1`. */
  tag: string
}

/** A client that goes away in the middle of something is no failure. */
export const databaseServer = (serve: (socket: Socket) => void): Server =>
  createServer((socket) => {
    socket.on('error', () => socket.destroy())
    serve(socket)
  })

export function answerSql(sql: string, service: 'Postgres' | 'MySQL', hints: Hint[]): SqlAnswer {
  const text = sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ').trim()
  const [verb = ''] = text.toUpperCase().split(/\s|\(/)
  const returns = /\breturning\b/i.test(text)
  if (!['SELECT', 'WITH', 'SHOW', 'VALUES', 'DESCRIBE', 'DESC', 'EXPLAIN', 'TABLE'].includes(verb) && !returns)
    return {
      columns: [],
      rows: [],
      tag: verb === 'INSERT' ? 'INSERT 0 1' : ['UPDATE', 'DELETE'].includes(verb) ? `${verb} 1` : verb || 'SELECT 0',
    }
  const tag = (count: number) =>
    returns ? (verb === 'INSERT' ? `INSERT 0 ${count}` : `${verb} ${count}`) : `SELECT ${count}`
  if (/information_schema\.columns|^describe|^desc |^show (full )?columns/i.test(text)) return columnsOf(service, hints)
  if (/information_schema\.tables|^show (full )?tables/i.test(text))
    return { columns: ['table_name', 'table_schema'], rows: [['sample', 'public']], tag: tag(1) }
  if (/\bexists\b/i.test(text) && verb === 'SELECT' && /^select\s+exists/i.test(text))
    return { columns: ['exists'], rows: [[true]], tag: tag(1) }
  const all = rowsFor(service, hints)
  const listed = columnsIn(text)
  const columns = listed ?? Object.keys(all[0]!)
  const known = (name: string, index: number, row: Record<string, unknown>) =>
    /^(count|sum|avg|total|cnt)/i.test(name)
      ? 3
      : name in row
        ? row[name]
        : /(^|_)id$/i.test(name)
          ? index + 1
          : `sample ${name}`
  const rows = all.map((row, index) => columns.map((name) => known(name, index, row)))
  return { columns, rows: /\blimit\s+1\b/i.test(text) || returns ? rows.slice(0, 1) : rows, tag: tag(rows.length) }
}

/** The columns that the nodes write, as a schema. */
function columnsOf(service: string, hints: Hint[]): SqlAnswer {
  const named = hints.filter((hint) => hint.service === service).flatMap(({ columns = [] }) => columns)
  const names = [...new Set(['id', ...named, ...Object.keys(rowsFor(service, hints)[0]!)])]
  const columns = [
    'column_name',
    'data_type',
    'is_nullable',
    'udt_name',
    'column_default',
    'is_generated',
    'identity_generation',
    'Field',
    'Type',
    'Null',
    'Key',
  ]
  return {
    columns,
    rows: names.map((name) => [
      name,
      'text',
      'YES',
      'text',
      null,
      'NEVER',
      null,
      name,
      'text',
      'YES',
      name === 'id' ? 'PRI' : '',
    ]),
    tag: `SELECT ${names.length}`,
  }
}

/** The names in the list of a query, or of RETURNING; null for all columns. */
function columnsIn(sql: string): string[] | null {
  const [, list] =
    /\breturning\b([\s\S]*)$/i.exec(sql)
    ?? /^(?:with[\s\S]*\)\s*)?select\s+(?:distinct\s+)?([\s\S]*?)(?:\sfrom\s|;|$)/i.exec(sql)
    ?? []
  if (list === undefined || /^\s*\*|\.\*/.test(list)) return null
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const char of list) {
    if (char === '(') depth++
    if (char === ')') depth--
    if (char === ',' && depth === 0) {
      parts.push(part)
      part = ''
    } else part += char
  }
  return [...parts, part].map((one) => {
    const text = one.trim()
    const [, alias] = /\bas\s+["`]?([\w ]+?)["`]?$/i.exec(text) ?? []
    const [, bare] = /([\w]+)["`]?\s*(?:\([\s\S]*\))?$/.exec(text) ?? []
    return (alias ?? (text.includes('(') ? /^(\w+)\s*\(/.exec(text)?.[1] : bare) ?? 'column').replace(/["`]/g, '')
  })
}
