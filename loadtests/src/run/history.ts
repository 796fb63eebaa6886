import { refuseWithoutRoom } from '../lib/disk.ts'
import { invalid } from '../lib/errors.ts'
import { count } from '../lib/figures.ts'
import type { SeededHistory } from '../model/history.ts'
import { openExecutions } from '../n8n/executions.ts'
import { seedPast } from '../n8n/history.ts'
import type { Running } from '../n8n/running.ts'
import { isPostgresql, postgresqlLogin, type Settings } from '../n8n/settings.ts'

interface Asked {
  executions: number
  /** Ids of the workflows that are loaded. */
  workflows: string[]
  /** Where its database is, if that is on this machine. */
  folder: string | undefined
  signal: AbortSignal
  onProgress(seeded: number): void
}

/** Gives an n8n that the lab started a past, and tells what its database then holds. */
export async function seedHistory(running: Pick<Running, 'settings' | 'stores'>, asked: Asked): Promise<SeededHistory> {
  const settings = ownDatabase(running)
  const { folder, executions } = asked
  const began = Date.now()
  const refuse = (bytes: number) => refuseWithoutRoom(folder, bytes, `a history of ${count(executions)} executions`)
  const { hours } = await seedPast(settings, { ...asked, refuse })
  const took = (Date.now() - began) / 1000
  const database = openExecutions(settings)
  try {
    const { kept, bytes } = await database.size()
    return { executions: kept, bytes, hours, took }
  } finally {
    await database.close()
  }
}

/** Only a database that the target itself started is written to. SQLite's is a file in the plan's own folder. */
function ownDatabase({ settings, stores }: Pick<Running, 'settings' | 'stores'>): Settings {
  if (settings && !isPostgresql(settings)) return settings
  const { host, port } = settings ? postgresqlLogin(settings) : {}
  if (settings && stores.includes(`${host}:${port}`)) return settings
  const got = settings ? `${host}:${port}` : 'none'
  throw invalid(
    'not-own-database',
    `Expected --history with a database that the lab started and can reach, got ${got}.`,
    'Nothing was written there. Set database.type: embedded, or leave --history out.',
  )
}
