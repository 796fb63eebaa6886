import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { postgresqlServer, sqliteFile } from './settings.ts'

/** What n8n 2's `publish:workflow` does, for many workflows at once: the imported version becomes the active one. */
export async function publishAll(settings: Record<string, string>, ids: string[]): Promise<void> {
  const table = `${settings.DB_TABLE_PREFIX ?? ''}workflow_entity`
  const published = '"active" = true, "activeVersionId" = "versionId"'
  if (settings.DB_TYPE === 'postgresdb') {
    const client = new pg.Client(postgresqlServer(settings))
    await client.connect()
    try {
      const schema = settings.DB_POSTGRESDB_SCHEMA ?? 'public'
      await client.query(`UPDATE "${schema}"."${table}" SET ${published} WHERE id = ANY($1)`, [ids])
    } finally {
      await client.end()
    }
    return
  }
  const database = new DatabaseSync(sqliteFile(settings), { timeout: 5000 })
  try {
    const publish = database.prepare(`UPDATE "${table}" SET ${published} WHERE id = ?`)
    for (const id of ids) publish.run(id)
  } finally {
    database.close()
  }
}
