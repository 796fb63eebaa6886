import {
  byHand,
  drop,
  dropped,
  isOn,
  joined,
  on,
  to,
  under,
  variable,
  variablesUnder,
  when,
  type Rule,
  type Rules,
} from '../rules.ts'
import { communityLicensed, logFile, python } from './asked.ts'
import { stores } from './stores.ts'

/** `false` if n8n’s variable switches it off. */
const negated =
  (name: string): Rule =>
  (key) =>
    variable(name)(key.as(key.value === false))

/** What n8n's metrics include. */
const included = {
  defaultMetrics: 'N8N_METRICS_INCLUDE_DEFAULT_METRICS',
  cacheMetrics: 'N8N_METRICS_INCLUDE_CACHE_METRICS',
  messageEventBusMetrics: 'N8N_METRICS_INCLUDE_MESSAGE_EVENT_BUS_METRICS',
  workflowIdLabel: 'N8N_METRICS_INCLUDE_WORKFLOW_ID_LABEL',
  nodeTypeLabel: 'N8N_METRICS_INCLUDE_NODE_TYPE_LABEL',
  credentialTypeLabel: 'N8N_METRICS_INCLUDE_CREDENTIAL_TYPE_LABEL',
  apiEndpoints: 'N8N_METRICS_INCLUDE_API_ENDPOINTS',
  apiPathLabel: 'N8N_METRICS_INCLUDE_API_PATH_LABEL',
  apiMethodLabel: 'N8N_METRICS_INCLUDE_API_METHOD_LABEL',
  apiStatusCodeLabel: 'N8N_METRICS_INCLUDE_API_STATUS_CODE_LABEL',
  queueMetrics: 'N8N_METRICS_INCLUDE_QUEUE_METRICS',
}

/** The community chart’s values for n8n itself: its variables, its secrets, and its stores. */
export const communitySettings: Rules = {
  ...stores,
  encryptionKey: (key) => (key.isEmpty ? undefined : variable('N8N_ENCRYPTION_KEY')(key)),
  existingEncryptionKeySecret: (key) => {
    if (!key.isEmpty) key.set('encryptionKey.existingSecret', { name: key.value, key: 'N8N_ENCRYPTION_KEY' })
  },
  'main.editorBaseUrl': to('publicUrl'),
  timezone: to('timezone'),
  gracefulShutdownTimeout: variable('N8N_GRACEFUL_SHUTDOWN_TIMEOUT'),
  'log.level': variable('N8N_LOG_LEVEL'),
  'log.output': joined('N8N_LOG_OUTPUT'),
  'log.scopes': joined('N8N_LOG_SCOPES'),
  ...variablesUnder(
    'log.file',
    {
      location: 'N8N_LOG_FILE_LOCATION',
      maxsize: 'N8N_LOG_FILE_SIZE_MAX',
      maxcount: 'N8N_LOG_FILE_COUNT_MAX',
    },
    logFile,
  ),
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
  ...variablesUnder(
    'diagnostics',
    {
      frontendConfig: 'N8N_DIAGNOSTICS_CONFIG_FRONTEND',
      backendConfig: 'N8N_DIAGNOSTICS_CONFIG_BACKEND',
      'postHog.apiKey': 'N8N_DIAGNOSTICS_POSTHOG_API_KEY',
      'postHog.apiHost': 'N8N_DIAGNOSTICS_POSTHOG_API_HOST',
    },
    on('diagnostics.enabled'),
  ),
  'sentry.enabled': isOn,
  ...variablesUnder(
    'sentry',
    { backendDsn: 'N8N_SENTRY_DSN', frontendDsn: 'N8N_FRONTEND_SENTRY_DSN' },
    on('sentry.enabled'),
  ),
  'sentry.externalTaskRunnersDsn': when(on('sentry.enabled'), byHand('Set SENTRY_DSN in runner.extraEnv.')),
  'versionNotifications.enabled': variable('N8N_VERSION_NOTIFICATIONS_ENABLED'),
  ...dropped('n8n’s own addresses.', 'versionNotifications'),
  'taskRunners.taskTimeout': variable('N8N_RUNNERS_TASK_TIMEOUT'),
  'taskRunners.taskHeartbeatInterval': variable('N8N_RUNNERS_HEARTBEAT_INTERVAL'),
  'taskRunners.maxConcurrency': variable('N8N_RUNNERS_MAX_CONCURRENCY'),
  'nodes.python.builtin.modules': when(python, joined('N8N_RUNNERS_STDLIB_ALLOW')),
  'nodes.python.external.allowAll': when(python, (key) => {
    if (key.value === true) variable('N8N_RUNNERS_EXTERNAL_ALLOW')(key.as('*'))
    else key.drop('It is off.')
  }),
  'nodes.builtin.modules': joined('NODE_FUNCTION_ALLOW_BUILTIN'),
  'nodes.external.reinstallMissingPackages': variable('N8N_REINSTALL_MISSING_PACKAGES'),
  'nodes.external.allowAll': (key) => {
    if (key.value === true) variable('NODE_FUNCTION_ALLOW_EXTERNAL')(key.as('*'))
    else key.drop('It is off.')
  },

  'license.enabled': isOn,
  ...under(
    'license',
    {
      existingActivationKeySecret: (key) => {
        if (!key.isEmpty) key.set('license.existingSecret', { name: key.value, key: 'N8N_LICENSE_ACTIVATION_KEY' })
      },
      activationKey: variable('N8N_LICENSE_ACTIVATION_KEY'),
      serverUrl: variable('N8N_LICENSE_SERVER_URL'),
      tenantId: variable('N8N_LICENSE_TENANT_ID'),
      'autoRenew.enabled': variable('N8N_LICENSE_AUTO_RENEW_ENABLED'),
      'autoRenew.offsetInHours': (key) => variable('N8N_LICENSE_AUTO_RENEW_OFFSET')(key.as(Number(key.value) * 3600)),
      autoNenew: drop('license.autoRenew is its name.'),
    },
    communityLicensed,
  ),

  'serviceMonitor.enabled': (key) =>
    key.set('monitoring', key.value === true ? { enabled: true, podMonitor: { enabled: true } } : { enabled: false }),
  ...under(
    'serviceMonitor',
    {
      interval: to('monitoring.podMonitor.interval'),
      labels: to('monitoring.podMonitor.labels'),
      metricsPrefix: variable('N8N_METRICS_PREFIX'),
      namespace: byHand('The PodMonitor is beside n8n: let Prometheus select it there.'),
      timeout: drop('Prometheus takes its own default.'),
      targetLabels: byHand('The PodMonitor takes no labels of pods: extraObjects can hold one of yours.'),
      metricRelabelings: byHand('The PodMonitor relabels nothing: extraObjects can hold one of yours.'),
      ...Object.fromEntries(Object.entries(included).map(([name, says]) => [`include.${name}`, variable(says)])),
    },
    on('serviceMonitor.enabled'),
  ),
}
