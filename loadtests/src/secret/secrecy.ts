import { hasSecretForm } from './forms.ts'

export type Scalar = string | number | boolean

/**
 * What a name and its value say. `unknown` is what a user added and nobody knows: it is written down as little as a
 * secret.
 */
export type Secrecy = 'secret' | 'unknown' | 'harmless'

/** A variable of a container. */
export function secrecyOfVariable(name: string, value: Scalar): Secrecy {
  if (isPlain(name, value)) return 'harmless'
  if (secretVariables.has(name)) return 'secret'
  if (harmlessVariables.has(name.toUpperCase()) || isFileOf(name, String(value))) return 'harmless'
  return isTelling(name) || hasSecretForm(String(value)) ? 'secret' : 'unknown'
}

/** A value under a key that no schema describes. */
export function secrecyOfField(key: string, value: Scalar): Secrecy {
  if (isPlain(key, value) || harmlessFields.has(key) || isReference(key) || ofKubernetes.test(key)) return 'harmless'
  return isTelling(key) || hasSecretForm(String(value)) ? 'secret' : 'unknown'
}

/** Switches, figures, times and sizes, unless the name says that the figure is a secret. */
function isPlain(name: string, value: Scalar): boolean {
  const text = String(value)
  if (text === '' || typeof value === 'boolean' || switches.test(text)) return true
  return figures.test(text) && !isTelling(name)
}

const switches = new RegExp(
  '^(true|false|yes|no|on|off|null|none|all|default|auto|info|warn|error|debug|silent|json|text|production|development'
    + '|regular|queue|main|own|legacy|internal|external|sqlite|postgresdb|filesystem|database|s3|redis|memory)$',
  'i',
)
/** Longer figures could be numbers of cards or accounts. */
const figures = /^-?\d{1,10}(\.\d{1,6})?\s?(%|ms|s|m|h|d|k|[KMGTP]i?B?)?$/

/** `N8N_ENCRYPTION_KEY_FILE=/run/secrets/key` names a place. */
const isFileOf = (name: string, text: string) => /_(FILE|PATH|DIR)$/i.test(name) && /^\/[\w./-]*$/.test(text)

/** `existingSecret`, `secretName`: where a secret is. */
export const isReference = (key: string) =>
  /^existing|^secret$|^(secret|claim|configMap)Name$|Ref$|[pP]ullSecrets$/.test(key)
/** Labels and annotations of Kubernetes itself. */
const ofKubernetes = /^((app|node|topology)\.)?kubernetes\.io\//

const last = new RegExp(
  '(^|_)(pass|passw?d|password|passphrase|passcode|pwd|pin|otp|secret|token|jwt|dsn|bearer|cookie|credential|auth'
    + '|authorization|signature|sig|hmac|sid|session)s?$',
)
const keys = new RegExp(
  '(^|_)(api|app|access|account|activation|auth|client|crypt|encryption|license|master|private|secret|service|shared'
    + '|sign|signing|ssh|ssl|storage|subscription|user|anthropic|openai)_?keys?$',
)
const joined = /(password|passwd|passphrase|secret|token|apikey|accesskey|privatekey|secretkey|credential)s?$/

/** Whether the name says that what it names is a secret: `dbPassword`, `N8N_SMTP_PASS`, `x-api-key`, `accesstoken`. */
export function isTelling(name: string): boolean {
  const plain = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()
  return last.test(plain) || keys.test(plain) || joined.test(plain) || /^[A-Z0-9_]+_KEY$/.test(name)
}

/** Whether a key of another service's data names or describes something: `id`, `customerId`, `created_at`. */
export const isHarmlessKey = (key: string): boolean =>
  harmlessKeys.has(key.toLowerCase())
  || /(^|_|[a-z])(I[dD]|id|ids|uuid|guid|hash|sha|at|url|uri|href|name|type)$/.test(key)

/** Lists of what is known to be no secret. Everything that a user adds himself is one until it stands here. */

const words = (text: string) => text.trim().split(/\s+/)

/** Variables of n8n, Node and the system whose text names a mode, a place or a list. Figures need no entry. */
const harmlessVariables = new Set(
  words(`
    CREDENTIALS_DEFAULT_NAME WORKFLOWS_DEFAULT_NAME DEPLOYMENT_NAME ENVIRONMENT EXTERNAL_HOOK_FILES GENERIC_TIMEZONE TZ
    DB_LOGGING_OPTIONS DB_POSTGRESDB_DATABASE DB_POSTGRESDB_HOST DB_POSTGRESDB_SCHEMA DB_POSTGRESDB_USER
    DB_MYSQLDB_DATABASE DB_MYSQLDB_HOST DB_MYSQLDB_USER DB_SQLITE_DATABASE DB_TABLE_PREFIX DB_TYPE
    EXECUTIONS_DATA_SAVE_ON_ERROR EXECUTIONS_DATA_SAVE_ON_SUCCESS EXECUTIONS_MODE EXECUTIONS_PROCESS
    N8N_ADDITIONAL_NON_UI_ROUTES N8N_AVAILABLE_BINARY_DATA_MODES N8N_BINARY_DATA_STORAGE_PATH N8N_BLOCK_FILE_PATTERNS
    N8N_CACHE_BACKEND N8N_CACHE_REDIS_KEY_PREFIX N8N_CONFIG_FILES N8N_CONTENT_SECURITY_POLICY N8N_CUSTOM_EXTENSIONS
    N8N_DEFAULT_BINARY_DATA_MODE N8N_DEFAULT_LOCALE N8N_DEPLOYMENT_TYPE N8N_DISABLED_MODULES N8N_EDITOR_BASE_URL
    N8N_EMAIL_MODE N8N_ENABLED_MODULES N8N_ENDPOINT_FORM N8N_ENDPOINT_FORM_TEST N8N_ENDPOINT_FORM_WAIT
    N8N_ENDPOINT_HEALTH N8N_ENDPOINT_MCP N8N_ENDPOINT_MCP_TEST N8N_ENDPOINT_REST N8N_ENDPOINT_WEBHOOK
    N8N_ENDPOINT_WEBHOOK_TEST N8N_ENDPOINT_WEBHOOK_WAIT N8N_EVENTBUS_LOGWRITER_LOGBASENAME
    N8N_EVENTBUS_RECOVERY_MODE N8N_EXECUTION_DATA_STORAGE_MODE N8N_EXPRESSION_ENGINE
    N8N_EXTERNAL_STORAGE_S3_BUCKET_NAME N8N_EXTERNAL_STORAGE_S3_BUCKET_REGION N8N_EXTERNAL_STORAGE_S3_HOST N8N_HOST
    N8N_LISTEN_ADDRESS N8N_LOG_FILE_LOCATION N8N_LOG_FORMAT N8N_LOG_LEVEL N8N_LOG_OUTPUT N8N_LOG_SCOPES
    N8N_METRICS_PREFIX N8N_PATH N8N_PROTOCOL N8N_PUBLIC_API_ENDPOINT N8N_REDIS_KEY_PREFIX N8N_RELEASE_TYPE
    N8N_RESTRICT_FILE_ACCESS_TO N8N_RUNNERS_BROKER_LISTEN_ADDRESS N8N_RUNNERS_EXTERNAL_ALLOW
    N8N_RUNNERS_MAX_OLD_SPACE_SIZE N8N_RUNNERS_MODE N8N_RUNNERS_PATH N8N_RUNNERS_STDLIB_ALLOW
    N8N_RUNNERS_TASK_BROKER_URI N8N_SAMESITE_COOKIE N8N_SMTP_HOST N8N_SMTP_SENDER N8N_SMTP_USER
    N8N_SSO_OIDC_CLIENT_ID N8N_SSO_OIDC_DISCOVERY_ENDPOINT N8N_SSO_SAML_METADATA_URL N8N_SSO_USER_ROLE_PROVISIONING
    N8N_STORAGE_PATH N8N_TEMPLATES_HOST N8N_TUNED_PATCHES N8N_USER_FOLDER N8N_WEBHOOK_URL N8N_WORKER_POOL_NAME
    N8N_WORKER_SERVER_ADDRESS N8N_WORKFLOW_CALLER_POLICY_DEFAULT_OPTION NODES_ERROR_TRIGGER_TYPE NODES_EXCLUDE
    NODES_INCLUDE NODE_COMPILE_CACHE NODE_ENV NODE_EXTRA_CA_CERTS NODE_FUNCTION_ALLOW_BUILTIN
    NODE_FUNCTION_ALLOW_EXTERNAL NODE_ICU_DATA NODE_OPTIONS NODE_PATH QUEUE_BULL_PREFIX QUEUE_BULL_REDIS_CLUSTER_NODES
    QUEUE_BULL_REDIS_HOST QUEUE_BULL_REDIS_TLS_SERVERNAME QUEUE_BULL_REDIS_USERNAME WEBHOOK_URL
    ALL_PROXY HTTP_PROXY HTTPS_PROXY NO_PROXY HOME HOSTNAME LANG LC_ALL LD_LIBRARY_PATH LD_PRELOAD PATH PWD SHELL
    TMPDIR USER MALLOC_CONF OTEL_EXPORTER_OTLP_ENDPOINT OTEL_EXPORTER_OTLP_PROTOCOL OTEL_SERVICE_NAME
    NPM_CONFIG_REGISTRY POSTGRES_DB POSTGRES_USER PGDATA PGDATABASE PGHOST PGUSER
  `),
)

/** n8n's variables with a secret that their names do not say. */
const secretVariables = new Set(
  words(`
    CREDENTIALS_OVERWRITE_DATA CREDENTIALS_OVERWRITE_ENDPOINT N8N_DIAGNOSTICS_CONFIG_BACKEND
    N8N_DIAGNOSTICS_CONFIG_FRONTEND N8N_LICENSE_CERT N8N_LOG_STREAMING_DESTINATIONS N8N_SENTRY_DSN
    N8N_FRONTEND_SENTRY_DSN N8N_SMTP_OAUTH_SERVICE_CLIENT OTEL_EXPORTER_OTLP_HEADERS
  `),
)

/** Fields of Kubernetes objects, and of the lab's own values, whose text names or places something. */
const harmlessFields = new Set(
  words(`
    accessModes apiVersion appProtocol balancer claimName clusterIP configMap containerPort cpu divisor driver effect
    ephemeral-storage externalTrafficPolicy fieldPath fsGroupChangePolicy generateName gateway hostnames hostPort image
    imagePullPolicy internalTrafficPolicy ip ipFamilyPolicy key kind labelSelector loadBalancerClass matchPolicy medium
    memory mode mountPath mountPropagation name namespace nodePort operator path pathType policy policyTypes port
    portName procMount propagationPolicy protocol resource restartPolicy scheme scope secretName seccompProfile
    service serviceAccountName serviceName sessionAffinity sizeLimit storageClass storageClassName subPath
    targetPort terminationMessagePath terminationMessagePolicy topologyKey type verb volumeMode volumeName
    whenUnsatisfiable workingDir
  `),
)

/** Keys of answers of other services whose text says what something is, not how one gets in. */
const harmlessKeys = new Set(
  words(`
    address algorithm alt amount body bio brand branch caption category channel city class code color comment company
    content contenttype country created currency data date description display domain email encoding error event
    expires expiry extension field file filename filetype first firstname format from gender grant_type group hash
    hostname html icon id image ip key kind label language last lastname level link locale location login message
    method mimetype mode model modified name nickname note notes object operation order owner parent path permission
    permissions phase phone place plan platform plain position postal price priority product project property
    provider purpose reason region relation repo repository role sender service sha slug source state status
    street subject subtitle summary tag tags team text thumbnail time timestamp timezone title to tokentype token_type
    topic type unit updated url uri user username uuid value version website word zip
  `),
)
