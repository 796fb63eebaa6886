import type { Image } from '../chart/plan.ts'
import { createDataTables, type DataTable } from '../n8n/data-tables.ts'
import type { Settings } from '../n8n/settings.ts'
import { invalid } from '../lib/errors.ts'
import type { SeedWorkflow } from './target.ts'

/** Those that the workflows use, each once. */
export const tablesOf = (workflows: SeedWorkflow[]): DataTable[] => [
  ...new Map(workflows.flatMap(({ dataTables = [] }) => dataTables).map((one) => [one.id, one])).values(),
]

export async function giveDataTables(tables: DataTable[], settings: Settings, { repository, tag }: Image) {
  if (!tables.length) return
  await createDataTables(settings, tables).catch((error: Error) => {
    throw invalid(
      'data-tables-failed',
      `Expected ${repository}:${tag} to have data tables as n8n 1.119 to 2.41 has, got: ${error.message}.`,
      'Measure a release that has them, or the workflow without its Data Table nodes.',
    )
  })
}
