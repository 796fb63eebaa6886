import { byName } from '../lib/json.ts'
import { usage } from '../lib/errors.ts'
import type { Draft } from './draft.ts'
import {
  address,
  asItIs,
  variableByHand,
  database,
  intoSecret,
  isSecret,
  isTrue,
  logLevel,
  nodeOptions,
  ours,
  executionsProcess,
  redisVariable,
  secret,
  shutdown,
  value,
  valueOrReference,
  type Take,
  type Variable,
} from './takes.ts'
import { isEmpty, isText } from './values.ts'

export type { Role } from './takes.ts'

const chartSets = 'The chart sets it itself.'
const chartMakes = 'The chart makes a token, and gives it to n8n and to its runners.'

/** Variables with a value of ours: one table for every source, since all of them set n8n's environment. */
const known = byName<Take>({
  EXECUTIONS_MODE: value('executions.mode'),
  EXECUTIONS_PROCESS: executionsProcess,
  DB_TYPE: database,
  DB_POSTGRESDB_HOST: value('database.host'),
  DB_POSTGRESDB_PORT: valueOrReference('database.port', Number),
  DB_POSTGRESDB_DATABASE: valueOrReference('database.name'),
  DB_POSTGRESDB_USER: valueOrReference('database.user'),
  DB_POSTGRESDB_SCHEMA: valueOrReference('database.schema'),
  DB_POSTGRESDB_PASSWORD: secret('database.password.existingSecret'),
  DB_POSTGRESDB_POOL_SIZE: value('database.poolSize', Number),
  DB_POSTGRESDB_SSL: value('database.tls.enabled', isTrue),
  DB_POSTGRESDB_SSL_ENABLED: value('database.tls.enabled', isTrue),
  DB_POSTGRESDB_SSL_REJECT_UNAUTHORIZED: value('database.tls.verify', isTrue),
  DB_POSTGRESDB_SSL_CA: secret('database.tls.caSecret'),
  QUEUE_BULL_PREFIX: value('redis.prefix'),
  QUEUE_BULL_REDIS_HOST: redisVariable,
  QUEUE_BULL_REDIS_PORT: valueOrReference('redis.port', Number),
  QUEUE_BULL_REDIS_DB: value('redis.db', Number),
  QUEUE_BULL_REDIS_USERNAME: valueOrReference('redis.username'),
  QUEUE_BULL_REDIS_PASSWORD: secret('redis.password.existingSecret'),
  QUEUE_BULL_REDIS_TLS: value('redis.tls.enabled', isTrue),
  QUEUE_BULL_REDIS_CLUSTER_NODES: redisVariable,
  N8N_ENCRYPTION_KEY: secret('encryptionKey.existingSecret'),
  N8N_LICENSE_ACTIVATION_KEY: secret('license.existingSecret'),
  NODE_FUNCTION_ALLOW_BUILTIN: valueOrReference('runner.javascript.builtin'),
  NODE_FUNCTION_ALLOW_EXTERNAL: valueOrReference('runner.javascript.external'),
  N8N_RUNNERS_STDLIB_ALLOW: value('runner.python.stdlib'),
  N8N_RUNNERS_EXTERNAL_ALLOW: value('runner.python.external'),
  N8N_RUNNERS_MODE: value('runner.mode'),
  N8N_RUNNERS_MAX_OLD_SPACE_SIZE: value('runner.heap.megabytes', Number),
  GENERIC_TIMEZONE: valueOrReference('timezone'),
  N8N_LOG_LEVEL: logLevel,
  N8N_HOST: address('host'),
  N8N_PROTOCOL: address('protocol'),
  N8N_EDITOR_BASE_URL: valueOrReference('publicUrl'),
  WEBHOOK_URL: valueOrReference('webhookUrl'),
  N8N_WEBHOOK_URL: valueOrReference('webhookUrl'),
  N8N_PROXY_HOPS: value('proxyHops', Number),
  N8N_METRICS: value('monitoring.enabled', isTrue),
  N8N_DIAGNOSTICS_ENABLED: value('telemetry.enabled', isTrue),
  N8N_TEMPLATES_ENABLED: value('telemetry.templates', isTrue),
  N8N_GRACEFUL_SHUTDOWN_TIMEOUT: shutdown,
  QUEUE_WORKER_TIMEOUT: shutdown,
  NODE_OPTIONS: nodeOptions,
  N8N_USER_FOLDER: variableByHand(
    'n8n’s folder is /home/node/.n8n here. If the volume holds a folder .n8n, name it in persistence.subPath.',
  ),
  ...ours(chartSets, 'N8N_PORT', 'N8N_LISTEN_ADDRESS', 'NODE_ENV', 'N8N_ENDPOINT_HEALTH', 'N8N_RUNNERS_ENABLED'),
  ...ours(chartSets, 'N8N_RUNNERS_BROKER_LISTEN_ADDRESS', 'N8N_RUNNERS_BROKER_PORT', 'N8N_RUNNERS_TASK_BROKER_URI'),
  ...ours(chartSets, 'QUEUE_HEALTH_CHECK_ACTIVE', 'QUEUE_HEALTH_CHECK_PORT', 'N8N_DISABLE_PRODUCTION_MAIN_PROCESS'),
  ...ours('With several mains the chart sets it itself.', 'N8N_MULTI_MAIN_SETUP_ENABLED'),
  ...ours(chartMakes, 'N8N_RUNNERS_AUTH_TOKEN'),
})

/** Puts one variable into its value, or into `extraEnv`; secret text goes into a Secret. */
export function takeVariable(variable: Variable, draft: Draft): void {
  take(variable, draft, isSecret(variable) ? intoSecret : asItIs)
}

/** A variable declared secret, whatever its name. */
export function takeSecret(variable: Variable, draft: Draft): void {
  take(variable, draft, intoSecret)
}

function take(variable: Variable, draft: Draft, other: Take): void {
  const { name, value, key } = variable
  // A dot would part it into a path of our values.
  if (!/^\w+$/.test(name))
    return key.refuse('n8n reads no variable of that name. If something else does, set it in role.extraEnv.')
  if (isEmpty(value)) {
    // n8n would make a key of its own in place of an empty one, which no Secret may then contain.
    if (name === 'N8N_ENCRYPTION_KEY')
      throw usage(
        'empty-key',
        `${key.path}: Expected n8n's encryption key, got nothing: n8n would then use one of its own.`,
        'Write the key there. If n8n made its own, leave the variable out, and the key is read from its folder.',
      )
    return key.drop('It has no value.')
  }
  const base = /^(.+)_FILE$/.exec(name)?.[1]
  if (base === undefined) return (known[name] ?? other)(variable, draft)
  // The chart reads these itself, where it cannot read the user's file: the text goes into the Secret instead.
  const inMovedSecret = { ...variable, name: base, value: { file: value } }
  if (base in known) known[base]!(inMovedSecret, draft)
  else if (isText(value) && /^\/run\/secrets\//.test(String(value))) intoSecret(inMovedSecret)
  else asItIs(variable)
}
