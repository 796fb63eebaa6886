import { isMap, valueAt } from '../../lib/values.ts'
import {
  byHand,
  drop,
  dropped,
  isOn,
  on,
  to,
  under,
  variable,
  variables,
  variablesUnder,
  when,
  type Rules,
} from '../rules.ts'
import { external, officialLicensed, ownKey, officialQueue } from './asked.ts'
import type { Values } from '../../model/experiment.ts'

const clientSecret = 'Put certificate and key into one Secret, and name it in database.tls.clientSecret.'
const hasAddress = (all: Values) => on('ingress.enabled').holds(all) || Boolean(valueAt(all, 'webhook.url'))

/** The official chart’s values for n8n itself: its variables, its secrets, and its stores. */
export const officialSettings: Rules = {
  'webhook.enabled': drop('It only says whether WEBHOOK_URL is set.'),
  'webhook.url': to('webhookUrl'),
  'webhook.timeout': variable('N8N_WEBHOOK_TIMEOUT'),
  'webhook.extraEnv': variables('role'),
  ...variablesUnder('executions', {
    timeout: 'EXECUTIONS_TIMEOUT',
    timeoutMax: 'EXECUTIONS_TIMEOUT_MAX',
    'data.saveOnError': 'EXECUTIONS_DATA_SAVE_ON_ERROR',
    'data.saveOnSuccess': 'EXECUTIONS_DATA_SAVE_ON_SUCCESS',
    'data.saveOnProgress': 'EXECUTIONS_DATA_SAVE_ON_PROGRESS',
    'data.saveManualExecutions': 'EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS',
    'pruning.enabled': 'EXECUTIONS_DATA_PRUNE',
    'pruning.maxAge': 'EXECUTIONS_DATA_MAX_AGE',
    'pruning.maxCount': 'EXECUTIONS_DATA_PRUNE_MAX_COUNT',
    'pruning.hardDeleteBuffer': 'EXECUTIONS_DATA_HARD_DELETE_BUFFER',
    'pruning.hardDeleteInterval': 'EXECUTIONS_DATA_PRUNE_HARD_DELETE_INTERVAL',
    'pruning.softDeleteInterval': 'EXECUTIONS_DATA_PRUNE_SOFT_DELETE_INTERVAL',
    'concurrency.productionLimit': 'N8N_CONCURRENCY_PRODUCTION_LIMIT',
  }),
  'executions.extraEnv': variables('role'),
  'config.timezone': variable('GENERIC_TIMEZONE'),

  ...under(
    'license',
    {
      existingSecret: (key) => {
        if (key.at('name').isEmpty || !isMap(key.value)) return key.drop('It names no Secret.')
        key.set('license.existingSecret', { key: 'license-key', ...key.value })
      },
      activationKey: variable('N8N_LICENSE_ACTIVATION_KEY'),
    },
    officialLicensed,
  ),
  'license.enabled': isOn,
  'secretRefs.existingSecret': (key) => {
    if (key.isEmpty) return
    key.set('encryptionKey.existingSecret', { name: key.value, key: 'N8N_ENCRYPTION_KEY' })
    if (!hasAddress(key.all)) key.draft.todo('publicUrl', 'Its N8N_HOST and N8N_PROTOCOL are n8n’s URL: name it here.')
  },
  'secretRefs.env': when(ownKey, variables('role')),

  'database.useExternal': (key) => key.set('database.type', key.value === true ? 'external' : 'sqlite'),
  ...dropped('database.useExternal says whether it is PostgreSQL or SQLite.', 'database.type'),
  ...under(
    'database',
    {
      host: to('database.host'),
      port: to('database.port'),
      database: to('database.name'),
      schema: to('database.schema'),
      user: to('database.user'),
      passwordSecret: to('database.password.existingSecret'),
      'ssl.enabled': to('database.tls.enabled'),
      'ssl.rejectUnauthorized': to('database.tls.verify'),
      'ssl.ca': byHand('Put the authority’s certificate into a Secret, and name it in database.tls.caSecret.'),
      'ssl.cert': byHand(clientSecret),
      'ssl.key': byHand(clientSecret),
    },
    external,
  ),
  ...under(
    'redis',
    {
      host: variable('QUEUE_BULL_REDIS_HOST'),
      port: to('redis.port'),
      username: to('redis.username'),
      passwordSecret: to('redis.password.existingSecret'),
      database: to('redis.db'),
      prefix: to('redis.prefix'),
      tls: to('redis.tls.enabled'),
      clusterNodes: variable('QUEUE_BULL_REDIS_CLUSTER_NODES'),
      extraEnv: variables('role'),
    },
    officialQueue,
  ),
  ...variablesUnder(
    'redis',
    {
      timeout: 'QUEUE_BULL_REDIS_TIMEOUT_THRESHOLD',
      dualstack: 'QUEUE_BULL_REDIS_DUALSTACK',
      'worker.timeout': 'N8N_GRACEFUL_SHUTDOWN_TIMEOUT',
      'worker.lockDuration': 'QUEUE_WORKER_LOCK_DURATION',
      'worker.lockRenewTime': 'QUEUE_WORKER_LOCK_RENEW_TIME',
      'worker.stalledInterval': 'QUEUE_WORKER_STALLED_INTERVAL',
      'worker.maxStalledCount': 'QUEUE_WORKER_MAX_STALLED_COUNT',
    },
    officialQueue,
  ),
  ...dropped('executions.mode says whether there is a Redis.', 'redis.enabled', 'redis.useExternal'),
  ...dropped('The chart always switches health checks on.', 'redis.healthCheck'),

  ...variablesUnder(
    's3',
    {
      'bucket.name': 'N8N_EXTERNAL_STORAGE_S3_BUCKET_NAME',
      'bucket.region': 'N8N_EXTERNAL_STORAGE_S3_BUCKET_REGION',
      'bucket.host': 'N8N_EXTERNAL_STORAGE_S3_HOST',
      'auth.autoDetect': 'N8N_EXTERNAL_STORAGE_S3_AUTH_AUTO_DETECT',
      'auth.accessKeyId': 'N8N_EXTERNAL_STORAGE_S3_ACCESS_KEY',
      'storage.mode': 'N8N_DEFAULT_BINARY_DATA_MODE',
      'storage.availableModes': 'N8N_AVAILABLE_BINARY_DATA_MODES',
      'storage.forcePathStyle': 'N8N_EXTERNAL_STORAGE_S3_FORCE_PATH_STYLE',
    },
    on('s3.enabled'),
  ),
  's3.enabled': isOn,
  's3.auth.secretAccessKeySecret': when(on('s3.enabled'), (key) => {
    if (key.at('name').isEmpty) return key.drop('It names no Secret.')
    key.set('role.extraEnv.N8N_EXTERNAL_STORAGE_S3_ACCESS_SECRET', { valueFrom: { secretKeyRef: key.value } })
  }),
  's3.storage.extraEnv': when(on('s3.enabled'), variables('role')),

  // Last, since Kubernetes takes the last of several variables of one name.
  'config.extraEnv': variables('role'),
  'config.extraEnvFrom': to('role.extraEnvFrom'),
}
