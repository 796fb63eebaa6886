import { join } from 'node:path'

/** Where n8n's database is, from n8n's settings. */

export const sqliteFile = (settings: Record<string, string>) =>
  join(settings.N8N_USER_FOLDER ?? settings.HOME ?? '', '.n8n', settings.DB_SQLITE_DATABASE ?? 'database.sqlite')

export const postgresqlServer = (settings: Record<string, string>) => ({
  host: settings.DB_POSTGRESDB_HOST,
  port: Number(settings.DB_POSTGRESDB_PORT),
  user: settings.DB_POSTGRESDB_USER,
  password: settings.DB_POSTGRESDB_PASSWORD,
  database: settings.DB_POSTGRESDB_DATABASE,
  connectionTimeoutMillis: 10_000,
})
