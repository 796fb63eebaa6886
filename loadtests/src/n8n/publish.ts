import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { openDatabase } from './database.ts'
import { postgresqlLogin, sqliteFile, type Settings } from './settings.ts'

/** What n8n 2's `publish:workflow` does, for many workflows at once: the imported version becomes the active one. */
export async function publishAll(settings: Record<string, string>, ids: string[]): Promise<void> {
  const table = `${settings.DB_TABLE_PREFIX ?? ''}workflow_entity`
  const published = '"active" = true, "activeVersionId" = "versionId"'
  if (settings.DB_TYPE === 'postgresdb') {
    const client = new pg.Client(postgresqlLogin(settings))
    await client.connect()
    try {
      const schema = settings.DB_POSTGRESDB_SCHEMA ?? 'public'
      await client.query(`UPDATE "${schema}"."${table}" SET ${published} WHERE id = ANY($1)`, [ids])
    } finally {
      await client.end()
    }
    return
  }
  const file = sqliteFile(settings)
  // SQLite would make an empty one.
  if (!existsSync(file)) throw new Error(`Expected n8n's database in ${file}.`)
  const database = new DatabaseSync(file, { timeout: 5000 })
  try {
    const publish = database.prepare(`UPDATE "${table}" SET ${published} WHERE id = ?`)
    for (const id of ids) publish.run(id)
  } finally {
    database.close()
  }
}

/**
 * Whether n8n lets others call these workflows. From 2.40 on, its first start publishes each active workflow, one after
 * the other: until then a workflow cannot call it. One whose publication failed is not waited for.
 */
export async function arePublished(settings: Settings, version: string, ids: string[]): Promise<boolean> {
  if (ids.length === 0 || !publishesItself(version) || settings.N8N_USE_WORKFLOW_PUBLICATION_SERVICE === 'false')
    return true
  const database = openDatabase(settings)
  try {
    const [workflows, published, outbox] = [
      'workflow_entity',
      'workflow_published_version',
      'workflow_publication_outbox',
    ].map(database.table)
    const marks = ids.map((_, index) => `$${index + 1}`).join(', ')
    const waiting = await database.ask<{ id: string }>(
      `SELECT id FROM ${workflows} AS workflow WHERE id IN (${marks}) AND "activeVersionId" IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM ${published} WHERE "workflowId" = workflow.id)
      AND NOT EXISTS (SELECT 1 FROM ${outbox} WHERE "workflowId" = workflow.id AND status = 'failed') LIMIT 1`,
      ids,
    )
    return waiting.length === 0
  } finally {
    await database.close()
  }
}

function publishesItself(version: string): boolean {
  const [major, minor] = version.split('.').map(Number)
  return major! > 2 || (major === 2 && minor! >= 40)
}
