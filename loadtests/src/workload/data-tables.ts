import { usage } from '../lib/errors.ts'
import type { DataTable } from '../n8n/data-tables.ts'
import type { Exported, ExportedNode } from '../n8n/exported.ts'

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
