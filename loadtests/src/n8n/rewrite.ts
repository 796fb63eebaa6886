import { openDatabase } from './database.ts'
import type { Importable } from './exported.ts'
import type { Settings } from './settings.ts'

/** Gives other nodes to workflows of an n8n that runs: it reads them from its database for each execution. */
export async function rewrite(settings: Settings, workflows: Pick<Importable, 'id' | 'nodes' | 'connections'>[]) {
  const database = openDatabase(settings)
  try {
    // Since 1.0 a version is kept of each; since 2.0 the published one runs.
    const tables: [table: string, id: string][] = [['workflow_entity', 'id']]
    if ((await database.columns('workflow_history')).size > 0) tables.push(['workflow_history', 'workflowId'])
    for (const { id, nodes, connections } of workflows)
      for (const [table, key] of tables)
        await database.change(
          `UPDATE ${database.table(table)} SET nodes = $2, connections = $3 WHERE CAST("${key}" AS text) = $1`,
          [id, JSON.stringify(nodes), JSON.stringify(connections)],
        )
  } finally {
    await database.close()
  }
}

/** The number of the newest execution. */
export async function newestExecution(settings: Settings): Promise<number> {
  const database = openDatabase(settings)
  try {
    return await database.given('execution_entity')
  } finally {
    await database.close()
  }
}
