import { z } from 'zod'
import { parseJson } from '../lib/json.ts'
import { readText } from '../lib/read.ts'
import { unreadable, usage, problemOf } from '../lib/errors.ts'
import { columnTypes, type TableCell, type ColumnType, type DataTable } from '../n8n/data-tables.ts'
import type { Exported, ExportedNode } from './exported.ts'

/** n8n's own limits. A table without an id has the letters and digits of its name as its id. */
const schema = z
  .object({
    id: z
      .string('an id of letters and digits')
      .regex(/^[a-zA-Z0-9]{1,36}$/, 'an id of at most 36 letters and digits')
      .optional(),
    name: z.string('a name').trim().min(1, 'a name').max(128, 'a name of at most 128 characters'),
    columns: z.array(
      z.object({
        name: z.string('a name').regex(/^[a-zA-Z][a-zA-Z0-9_]{0,62}$/, 'a name of letters, digits and underscores'),
        type: z.enum(columnTypes, `one of ${columnTypes.join(', ')}`),
      }),
      'a list of columns',
    ),
    rows: z
      .array(
        z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()], 'one value')),
        'a list of rows',
      )
      .default([]),
  })
  .transform((table): DataTable => ({ ...table, id: table.id ?? table.name.replace(/[^a-zA-Z0-9]/g, '').slice(0, 36) }))

/** Columns that n8n fills in itself. */
const own = ['id', 'createdAt', 'updatedAt']

/** Reads one table, a list of them, or the answer of n8n's public API. */
export async function readDataTables(file: string): Promise<DataTable[]> {
  const text = await readText(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, problemOf(error))
  })
  const given = parsed(text, file)
  return [(given as { data?: unknown } | null)?.data ?? given].flat().map((one, index) => tableOf(one, index, file))
}

function tableOf(given: unknown, index: number, file: string): DataTable {
  const { data, error } = schema.safeParse(given)
  if (!data) {
    const [{ path, message, code }] = error.issues as [z.core.$ZodIssue]
    const place = [`table ${index + 1}`, ...path].join('.')
    throw badDataTable(file, `${place}: Expected ${code === 'invalid_type' && !path.length ? 'an object' : message}`)
  }
  if (!data.id) throw badDataTable(file, `${data.name}: Expected an id, since its name gives none, got none`)
  const columns = new Map(data.columns.map(({ name, type }) => [name, type]))
  const rows = data.rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !own.includes(name))))
  for (const [name, value] of rows.flatMap(Object.entries)) {
    const type = columns.get(name)
    if (!type) throw badDataTable(file, `${data.name}: Expected rows with its columns, got "${name}"`)
    if (!isOf(type, value))
      throw badDataTable(file, `${data.name}.${name}: Expected a ${type} in each row, got another value`)
  }
  return { ...data, rows }
}

function isOf(type: ColumnType, value: TableCell): boolean {
  if (value === null) return true
  if (type === 'date') return typeof value === 'string' && !Number.isNaN(Date.parse(value))
  return typeof value === type
}

function parsed(text: string, file: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw badDataTable(file, `Expected JSON, got ${(error as Error).message}`)
  }
}

/** The tables that these workflows use. Any table may be that of an expression. */
export function dataTablesOf(imports: Exported[], given: DataTable[], name: string): DataTable[] {
  const references = imports
    .flatMap(({ nodes }) => nodes.filter(usesTable))
    .map(({ parameters }) => tableIn(parameters))
  if (!references.length) return []
  const missing = references.find((one) => !isExpression(one) && !given.some((table) => isTable(table, one)))
  if (missing !== undefined)
    throw usage(
      'missing-data-table',
      `${name}: Expected the data table "${missing}" that it uses, got none with that id or name.`,
      'Give it with --data-tables FILE (docs/workload.md).',
    )
  return references.some(isExpression) ? given : given.filter((table) => references.some((one) => isTable(table, one)))
}

const users = new Set(['n8n-nodes-base.dataTable', 'n8n-nodes-base.dataTableTool'])

/** Operations on tables themselves, such as creating one, need none before. */
export const usesTable = ({ type, disabled, parameters = {} }: ExportedNode) =>
  users.has(type) && !disabled && parameters.resource !== 'table'

export function tableIn(parameters: ExportedNode['parameters']): string {
  const locator = parameters?.dataTableId as { value?: unknown } | string | undefined
  return String((typeof locator === 'object' ? locator.value : locator) ?? '')
}

const isExpression = (reference: string) => reference.startsWith('=')

export const isTable = ({ id, name }: DataTable, reference: string) =>
  id === reference || name.toLowerCase() === reference.toLowerCase()

const badDataTable = (where: string, problem: string) =>
  usage('bad-data-table', `${where}: ${problem}.`, 'docs/workload.md shows what a data table consists of.')
