import { z } from 'zod'
import { parseJson } from '../lib/json.ts'
import { readText } from '../lib/read.ts'
import { unreadable, usage, problemOf } from '../lib/errors.ts'
import { columnTypes, type TableCell, type ColumnType, type DataTable } from './data-tables.ts'

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

const badDataTable = (where: string, problem: string) =>
  usage('bad-data-table', `${where}: ${problem}.`, 'docs/workload.md shows what a data table consists of.')
