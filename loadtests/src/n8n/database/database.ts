import { openPostgresql } from './postgresql.ts'
import type { ExecutionDatabase } from './rows.ts'
import { openSqlite } from './sqlite.ts'

/** Connects with n8n's own settings, as they apply where the lab runs. */
export function openExecutionDatabase(settings: Record<string, string>): ExecutionDatabase {
  return settings.DB_TYPE === 'postgresdb' ? openPostgresql(settings) : openSqlite(settings)
}
