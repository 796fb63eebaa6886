import { isEmpty } from '../draft.ts'
import {
  byHand,
  ignored,
  joined,
  nothing,
  on,
  to,
  under,
  variable,
  variablesUnder,
  type Rule,
  type Rules,
} from '../rules.ts'
import { licensed } from './asked.ts'
import { stores } from './stores.ts'

/** `false` if n8n’s variable switches it off. */
const negated =
  (name: string): Rule =>
  (value, draft, all, path) =>
    variable(name)(value === false, draft, all, path)

/** The community chart’s values for n8n itself: its variables, its secrets, and its stores. */
export const settings: Rules = {
  ...stores,
  encryptionKey: variable('N8N_ENCRYPTION_KEY'),
  existingEncryptionKeySecret: (value, draft) => {
    if (!isEmpty(value)) draft.set('encryptionKey.existingSecret', { name: value, key: 'N8N_ENCRYPTION_KEY' })
  },
  'main.editorBaseUrl': to('publicUrl'),
  timezone: to('timezone'),
  gracefulShutdownTimeout: variable('N8N_GRACEFUL_SHUTDOWN_TIMEOUT'),
  'log.level': variable('N8N_LOG_LEVEL'),
  'log.output': joined('N8N_LOG_OUTPUT'),
  'log.scopes': joined('N8N_LOG_SCOPES'),
  ...variablesUnder('log.file', {
    location: 'N8N_LOG_FILE_LOCATION',
    maxsize: 'N8N_LOG_FILE_SIZE_MAX',
    maxcount: 'N8N_LOG_FILE_COUNT_MAX',
  }),
  'log.format': variable('N8N_LOG_FORMAT'),
  defaultLocale: variable('N8N_DEFAULT_LOCALE'),
  'api.enabled': negated('N8N_PUBLIC_API_DISABLED'),
  'api.path': variable('N8N_PUBLIC_API_ENDPOINT'),
  'api.swagger.enabled': negated('N8N_PUBLIC_API_SWAGGERUI_DISABLED'),
  ...variablesUnder('workflowHistory', {
    enabled: 'N8N_WORKFLOW_HISTORY_ENABLED',
    pruneTime: 'N8N_WORKFLOW_HISTORY_PRUNE_TIME',
  }),
  'diagnostics.enabled': variable('N8N_DIAGNOSTICS_ENABLED'),
  'sentry.enabled': byHand('Set N8N_SENTRY_DSN and what belongs to it in role.extraEnv.'),
  ...ignored('diagnostics', 'sentry', 'versionNotifications'),
  'taskRunners.taskTimeout': variable('N8N_RUNNERS_TASK_TIMEOUT'),
  'taskRunners.taskHeartbeatInterval': variable('N8N_RUNNERS_HEARTBEAT_INTERVAL'),
  'taskRunners.maxConcurrency': variable('N8N_RUNNERS_MAX_CONCURRENCY'),
  'nodes.python.builtin.modules': joined('N8N_RUNNERS_STDLIB_ALLOW'),
  'nodes.builtin.modules': joined('NODE_FUNCTION_ALLOW_BUILTIN'),
  'nodes.external.reinstallMissingPackages': variable('N8N_REINSTALL_MISSING_PACKAGES'),
  'nodes.external.allowAll': (value, draft, all, path) => {
    if (value === true) variable('NODE_FUNCTION_ALLOW_EXTERNAL')('*', draft, all, path)
  },

  ...under(
    'license',
    {
      existingActivationKeySecret: (value, draft) => {
        if (!isEmpty(value)) draft.set('license.existingSecret', { name: value, key: 'N8N_LICENSE_ACTIVATION_KEY' })
      },
      activationKey: variable('N8N_LICENSE_ACTIVATION_KEY'),
    },
    licensed,
  ),
  ...variablesUnder('license', { serverUrl: 'N8N_LICENSE_SERVER_URL', tenantId: 'N8N_LICENSE_TENANT_ID' }, licensed),
  license: nothing,

  'serviceMonitor.enabled': (value, draft) => {
    draft.set('monitoring', value === true ? { enabled: true, podMonitor: { enabled: true } } : { enabled: false })
  },
  ...under(
    'serviceMonitor',
    {
      interval: to('monitoring.podMonitor.interval'),
      labels: to('monitoring.podMonitor.labels'),
      metricsPrefix: variable('N8N_METRICS_PREFIX'),
    },
    on('serviceMonitor.enabled'),
  ),
  serviceMonitor: nothing,
}
