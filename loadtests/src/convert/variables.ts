import { isEmpty, type Draft } from './draft.ts'
import {
  asItIs,
  byHand,
  database,
  intoSecret,
  isSecret,
  isTrue,
  logLevel,
  nodeOptions,
  ours,
  redis,
  secret,
  shutdown,
  value,
  type Take,
  type Variable,
} from './takes.ts'

export type { Role } from './takes.ts'

/** Variables with a value of ours: one table for every source, since all of them set n8n's environment. */
const known: Record<string, Take> = {
  EXECUTIONS_MODE: value('executions.mode'),
  EXECUTIONS_PROCESS: value('executions.process'),
  DB_TYPE: database,
  DB_POSTGRESDB_HOST: value('database.host'),
  DB_POSTGRESDB_PORT: value('database.port', Number),
  DB_POSTGRESDB_DATABASE: value('database.name'),
  DB_POSTGRESDB_USER: value('database.user'),
  DB_POSTGRESDB_SCHEMA: value('database.schema'),
  DB_POSTGRESDB_PASSWORD: secret('database.password.existingSecret'),
  DB_POSTGRESDB_POOL_SIZE: value('database.poolSize', Number),
  DB_POSTGRESDB_SSL: value('database.tls.enabled', isTrue),
  DB_POSTGRESDB_SSL_ENABLED: value('database.tls.enabled', isTrue),
  DB_POSTGRESDB_SSL_REJECT_UNAUTHORIZED: value('database.tls.verify', isTrue),
  DB_POSTGRESDB_SSL_CA: secret('database.tls.caSecret'),
  QUEUE_BULL_PREFIX: value('redis.prefix'),
  QUEUE_BULL_REDIS_HOST: redis,
  QUEUE_BULL_REDIS_PORT: value('redis.port', Number),
  QUEUE_BULL_REDIS_DB: value('redis.db', Number),
  QUEUE_BULL_REDIS_USERNAME: value('redis.username'),
  QUEUE_BULL_REDIS_PASSWORD: secret('redis.password.existingSecret'),
  QUEUE_BULL_REDIS_TLS: value('redis.tls.enabled', isTrue),
  QUEUE_BULL_REDIS_CLUSTER_NODES: redis,
  N8N_ENCRYPTION_KEY: secret('encryptionKey.existingSecret'),
  N8N_LICENSE_ACTIVATION_KEY: secret('license.existingSecret'),
  NODE_FUNCTION_ALLOW_BUILTIN: value('runner.javascript.builtin'),
  NODE_FUNCTION_ALLOW_EXTERNAL: value('runner.javascript.external'),
  N8N_RUNNERS_STDLIB_ALLOW: value('runner.python.stdlib'),
  N8N_RUNNERS_EXTERNAL_ALLOW: value('runner.python.external'),
  N8N_RUNNERS_MODE: value('runner.mode'),
  N8N_RUNNERS_MAX_OLD_SPACE_SIZE: value('runner.heap.megabytes', Number),
  GENERIC_TIMEZONE: value('timezone'),
  TZ: value('timezone'),
  N8N_LOG_LEVEL: logLevel,
  N8N_HOST: ({ value }, draft) => void (draft.address.host = String(value)),
  N8N_PROTOCOL: ({ value }, draft) => void (draft.address.protocol = String(value)),
  N8N_EDITOR_BASE_URL: value('publicUrl'),
  WEBHOOK_URL: value('webhookUrl'),
  N8N_WEBHOOK_URL: value('webhookUrl'),
  N8N_PROXY_HOPS: value('proxyHops', Number),
  N8N_METRICS: value('monitoring.enabled', isTrue),
  N8N_DIAGNOSTICS_ENABLED: value('telemetry.enabled', isTrue),
  N8N_TEMPLATES_ENABLED: value('telemetry.templates', isTrue),
  N8N_GRACEFUL_SHUTDOWN_TIMEOUT: shutdown,
  QUEUE_WORKER_TIMEOUT: shutdown,
  NODE_OPTIONS: nodeOptions,
  N8N_USER_FOLDER: byHand(
    'n8n’s folder is /home/node/.n8n here. If the volume holds a folder .n8n, name it in persistence.subPath.',
  ),
  ...ours('N8N_PORT', 'N8N_LISTEN_ADDRESS', 'NODE_ENV', 'N8N_VERSION_NOTIFICATIONS_ENABLED', 'N8N_ENDPOINT_HEALTH'),
  ...ours(
    'N8N_RUNNERS_ENABLED',
    'N8N_RUNNERS_AUTH_TOKEN',
    'N8N_RUNNERS_BROKER_LISTEN_ADDRESS',
    'N8N_RUNNERS_BROKER_PORT',
  ),
  ...ours(
    'QUEUE_HEALTH_CHECK_ACTIVE',
    'QUEUE_HEALTH_CHECK_PORT',
    'N8N_MULTI_MAIN_SETUP_ENABLED',
    'N8N_DISABLE_PRODUCTION_MAIN_PROCESS',
  ),
}

/** Puts one variable into its value, or into `extraEnv`; secret text goes into a Secret. */
export function takeVariable(variable: Variable, draft: Draft): void {
  if (isEmpty(variable.value)) return
  const take = known[variable.name] ?? (isSecret(variable) ? intoSecret : asItIs)
  take(variable, draft)
}

/** A variable declared secret, whatever its name. */
export function takeSecret(variable: Variable, draft: Draft): void {
  const take = known[variable.name] ?? intoSecret
  if (!isEmpty(variable.value)) take(variable, draft)
}
