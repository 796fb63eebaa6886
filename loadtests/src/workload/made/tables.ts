import { byName } from '../../lib/json.ts'
import type { TableCell, ColumnType, DataTable } from '../../n8n/data-tables.ts'
import { isTable, tableIn, usesTable } from '../data-tables.ts'
import type { Exported, ExportedNode } from '../../n8n/exported.ts'
import { fitOf } from '../inferred/fit.ts'
import { plainSample } from '../inferred/sample.ts'
import type { Reads } from '../inferred/reads.ts'

/** Columns that every table has. */
const own = new Set(['id', 'createdAt', 'updatedAt'])

/** The data tables that were not given, with the columns that the nodes name and one row that they can work with. */
export function madeTables(imports: { workflow: Exported; reads: Reads }[], given: DataTable[]): DataTable[] {
  const using = imports.flatMap(({ workflow, reads }) =>
    workflow.nodes
      .filter(usesTable)
      .map((node) => ({ reference: tableIn(node.parameters), cells: cellsOf(node, reads) })),
  )
  const missing = using.filter(
    ({ reference }) => !reference.startsWith('=') && !given.some((table) => isTable(table, reference)),
  )
  return [...Map.groupBy(missing, ({ reference }) => reference)].map(([reference, uses]) => {
    const row = rowOf(uses.flatMap(({ cells }) => cells))
    return {
      id: reference.replace(/[^a-zA-Z0-9]/g, '').slice(0, 36) || 'mock',
      name: reference,
      columns: Object.entries(row).map(([name, value]) => ({ name, type: typeOf(value) })),
      rows: [row],
    }
  })
}

const typeOf = (value: TableCell): ColumnType =>
  typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'string'

/** Undefined: only the name is known. */
type Known = [column: string, value: unknown]

interface TableParameters {
  columns?: { value?: Record<string, unknown> | null; schema?: { id?: string; type?: string }[] }
  filters?: { conditions?: { keyName?: string; keyValue?: unknown }[] }
}

/** What the node writes, what is read of its rows and what it looks for. */
function cellsOf(node: ExportedNode, reads: Reads): Known[] {
  const { columns = {}, filters = {} } = (node.parameters ?? {}) as TableParameters
  const read = fitOf(reads.outputOf(node.name).json)?.sample
  return [
    ...Object.keys(columns.value ?? {}).map((name): Known => [name, undefined]),
    ...(columns.schema ?? []).map(({ id = '', type = '' }): Known => [id, ofType[type]]),
    ...(typeof read === 'object' && read !== null ? Object.entries(read) : []),
    ...(filters.conditions ?? []).map(({ keyName = '', keyValue }): Known => [keyName, keyValue]),
  ]
}

const ofType: Record<string, unknown> = byName({ number: 3, boolean: true })

/** A column is what is known of it last. */
function rowOf(cells: Known[]): Record<string, TableCell> {
  const named = cells.filter(([name]) => /^[a-zA-Z]\w{0,62}$/.test(name) && !own.has(name))
  return Object.fromEntries([
    ...named.map(([name]) => [name, plainSample(name)] as const),
    ...named.flatMap(([name, value]) => (isConstant(value) ? [[name, value] as const] : [])),
  ])
}

const isConstant = (value: unknown): value is TableCell =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && !/^=|\{\{/.test(value))
