import { isMap, leftOut } from './draft.ts'
import { isHere, type Folders, type Where } from './where.ts'

/** What becomes of a variable that may not stay. */
export interface Fate {
  instead: string
  effect: string
}

interface Rule extends Partial<Fate> {
  names: RegExp
  effect: string
  /** It goes even if it switches something off. */
  always?: true
}

/** Whole names, with the alternatives of a regular expression. */
const named = (...patterns: string[]) => new RegExp(`^(?:${patterns.join('|')})$`)

const rules: Rule[] = [
  {
    names: named(
      'DB_(POSTGRESDB|MYSQLDB|MARIADB)_(HOST|PORT|DATABASE|USER|PASSWORD|SCHEMA|SSL.*)',
      'DB_(TYPE|SQLITE_DATABASE)',
      'DATABASE_URL',
      'N8N_ENGINE_DATABASE.*',
    ),
    instead: 'the run’s own database',
    effect: 'As of the database',
    // Not to verify a certificate switches TLS on.
    always: true,
  },
  {
    names: named('QUEUE_BULL_REDIS_(HOST|PORT|DB|USERNAME|PASSWORD|TLS.*|CLUSTER_NODES|SENTINEL.*)'),
    instead: 'the run’s own Redis',
    effect: 'As of Redis',
    always: true,
  },
  { names: named('N8N_LICENSE_.*'), effect: 'What takes a licence is off' },
  { names: named('N8N_EXTERNAL_STORAGE_.*'), effect: 'Workflows with files write elsewhere' },
  {
    names: named(
      'N8N_(SMTP|EMAIL|UM_EMAIL|LOG_STREAMING|DIAGNOSTICS|VERSION_NOTIFICATIONS|POSTHOG)_.*',
      'N8N_(SSO|LDAP|SAML|OIDC|INSTANCE_OWNER|BASIC_AUTH)_.*',
      'N8N_.*_MANAGED_BY_ENV',
    ),
    effect: 'n8n sends no mail, events or usage data, and nobody signs in',
  },
  {
    names: named('(N8N_)?(OTEL|SENTRY)_.*', '.*_DSN', '(DD|NEW_RELIC|ELASTIC_APM|DATADOG|STATSD|PYROSCOPE)_.*'),
    effect: 'Tracing costs CPU that is not measured',
  },
  {
    names: named(
      '(N8N_EXTERNAL_SECRETS|CREDENTIALS_OVERWRITE|N8N_SOURCECONTROL)_.*',
      '(AWS|AZURE|GOOGLE|GCP|CLOUDSDK|VAULT|INFISICAL)_.*',
    ),
    effect: 'n8n has no credentials from elsewhere',
  },
  { names: named('EXTERNAL_HOOK_FILES', 'EXTERNAL_FRONTEND_HOOKS_URLS'), effect: 'n8n runs without these hooks' },
  { names: named('.*_FILE'), effect: 'n8n does not read them' },
  {
    names: named(
      '(N8N_)?WEBHOOK(_TUNNEL|_TEST)?_URL',
      'N8N_(EDITOR_BASE_URL|HOST|PROTOCOL|PATH|SSL_KEY|SSL_CERT|ENDPOINT_.*|PUBLIC_API_ENDPOINT)',
      'N8N_(LISTEN|WORKER_SERVER|RUNNERS_BROKER_LISTEN)_ADDRESS',
      'VUE_APP_URL_BASE_API',
    ),
    instead: 'called directly',
    effect: 'The work of a balancer and of TLS is not measured',
    always: true,
  },
  {
    names: named('N8N_METRICS', 'N8N_METRICS_PREFIX', 'N8N_METRICS_INCLUDE_(MESSAGE_EVENT_BUS|QUEUE)_METRICS'),
    instead: 'the metrics that the run reads',
    effect: 'n8n counts a little more',
    always: true,
  },
]

/** Variables of n8n, Node and npm: a made-up value would not be valid. */
const ofN8n = /^(N8N|DB|QUEUE|EXECUTIONS?|NODE|NODES|GENERIC|CREDENTIALS|EXTERNAL|WORKFLOWS?|OFFLOAD|SKIP|NPM|TZ)(_|$)/
/** Lists of names, such as `lodash.get`, which look like hosts. */
const lists = /^(NODE_FUNCTION_ALLOW_.*|NODES_.*|N8N_(DIS|EN)ABLED_MODULES|N8N_METRICS_.*|N8N_LOG_SCOPES)$/
const hostly = /_(HOSTS?|HOSTNAME|SERVERS?|ADDRESS(ES)?|ENDPOINTS?|URLS?|URI|BROKERS|DOMAIN|PROXY)$/i

const there = { instead: leftOut, effect: 'n8n does not reach what they name' }

/** Null: the variable stays. */
export function fateOf(name: string, value: unknown, where: Where, folders: Folders): Fate | null {
  const rule = rules.find(({ names }) => names.test(name))
  if (rule && (rule.always || !isOff(value))) return { instead: rule.instead ?? leftOut, effect: rule.effect }
  if (isMap(value)) return ofElsewhere(name, value)
  const text = String(value ?? '').trim()
  if (lists.test(name) || text === '') return null
  if (namesHost(name, text)) return there
  const paths = text.split(/[;:,]/).filter((part) => part.startsWith('/'))
  return paths.length > 0 && !paths.every((path) => isHere(path, where, folders))
    ? { instead: leftOut, effect: 'n8n does not read them' }
    : null
}

const isOff = (value: unknown) => ['false', '0', ''].includes(String(value).trim().toLowerCase())

export const madeUp = 'made-up-by-n8n-tuned'

/** A pod knows its own fields. Secrets and ConfigMaps exist only there. */
function ofElsewhere(name: string, { valueFrom }: Record<string, unknown>): Fate | null {
  if (isMap(valueFrom) && ('fieldRef' in valueFrom || 'resourceFieldRef' in valueFrom)) return null
  if (hostly.test(name)) return there
  return ofN8n.test(name)
    ? { instead: 'n8n’s default', effect: 'A setting from a Secret or ConfigMap is not measured' }
    : { instead: madeUp, effect: 'Workflows that read them get that text' }
}

/** An address of this machine too: something of production was beside n8n there, and something else is here. */
function namesHost(name: string, text: string): boolean {
  return (
    /[a-z][\w+.-]*:\/\/[^\s]/i.test(text)
    || (hostly.test(name) && !/^(true|false|\d+)$/i.test(text))
    || /^(\d{1,3}\.){3}\d{1,3}(:\d+)?$/.test(text)
    || /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9-]+)*:\d{2,5}$/i.test(text)
    || /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i.test(text)
  )
}
