/** A data table of n8n's, with the rows that it begins with. */
export interface DataTable {
  id: string
  name: string
  columns: { name: string; type: ColumnType }[]
  rows: Record<string, Cell>[]
}

export type ColumnType = (typeof columnTypes)[number]
export const columnTypes = ['string', 'number', 'boolean', 'date'] as const

export type Cell = string | number | boolean | null
