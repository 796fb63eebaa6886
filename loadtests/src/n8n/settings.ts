import { join } from 'node:path'

/** What the lab reads from n8n's settings: its environment, as it applies where the lab runs. */
export type Settings = Record<string, string>

const ofN8n =
  /^(N8N|DB|QUEUE|EXECUTIONS?|NODES?|GENERIC|CREDENTIALS|EXTERNAL|WORKFLOWS?|WEBHOOK|OFFLOAD|SKIP|OTEL|NPM|TZ)(_|$)/

/** A variable of n8n, Node or npm. A user added all others. */
export const isOfN8n = (name: string): boolean => ofN8n.test(name)

export const isPostgresql = ({ DB_TYPE }: Settings): boolean => DB_TYPE === 'postgresdb'
export const isQueueMode = ({ EXECUTIONS_MODE }: Settings): boolean => EXECUTIONS_MODE === 'queue'

export const sqliteFile = (settings: Settings): string =>
  join(settings.N8N_USER_FOLDER ?? settings.HOME ?? '', '.n8n', settings.DB_SQLITE_DATABASE ?? 'database.sqlite')

export const postgresqlLogin = (settings: Settings) => ({
  host: settings.DB_POSTGRESDB_HOST,
  port: Number(settings.DB_POSTGRESDB_PORT),
  user: settings.DB_POSTGRESDB_USER,
  password: settings.DB_POSTGRESDB_PASSWORD,
  database: settings.DB_POSTGRESDB_DATABASE,
  connectionTimeoutMillis: 10_000,
})

/** The variables of the stores' addresses, for those who lead them elsewhere. */
export const addressVariables = {
  postgresql: { host: 'DB_POSTGRESDB_HOST', port: 'DB_POSTGRESDB_PORT', usual: '5432' },
  redis: { host: 'QUEUE_BULL_REDIS_HOST', port: 'QUEUE_BULL_REDIS_PORT', usual: '6379' },
} as const

/** The schema that holds n8n's tables in PostgreSQL. */
export const schemaOf = ({ DB_POSTGRESDB_SCHEMA = 'public' }: Settings): string => DB_POSTGRESDB_SCHEMA
export const tablePrefixOf = ({ DB_TABLE_PREFIX = '' }: Settings): string => DB_TABLE_PREFIX

export const redisLogin = (settings: Settings) => ({
  host: settings.QUEUE_BULL_REDIS_HOST,
  port: Number(settings.QUEUE_BULL_REDIS_PORT ?? 6379),
  db: Number(settings.QUEUE_BULL_REDIS_DB ?? 0),
  username: settings.QUEUE_BULL_REDIS_USERNAME,
  password: settings.QUEUE_BULL_REDIS_PASSWORD,
})

export const queuePrefixOf = ({ QUEUE_BULL_PREFIX = 'bull' }: Settings): string => QUEUE_BULL_PREFIX

/** Which executions n8n keeps when they have ended. */
export interface KeptExecutions {
  success: boolean
  error: boolean
}

/** A workflow's settings come before n8n's; "DEFAULT" there keeps what ends, whatever n8n's say. */
export function keptOf(
  settings: Settings,
  { saveDataSuccessExecution, saveDataErrorExecution }: SaveSettings = {},
): KeptExecutions {
  const keeps = (own: unknown, general = 'all') => (own ?? general) !== 'none'
  return {
    success: keeps(saveDataSuccessExecution, settings.EXECUTIONS_DATA_SAVE_ON_SUCCESS),
    error: keeps(saveDataErrorExecution, settings.EXECUTIONS_DATA_SAVE_ON_ERROR),
  }
}

/** The part of a workflow's settings that says what n8n keeps of it. */
export interface SaveSettings {
  saveDataSuccessExecution?: unknown
  saveDataErrorExecution?: unknown
}
