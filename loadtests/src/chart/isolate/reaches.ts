import { isMap } from '../../lib/values.ts'
import { isOfN8n } from '../../n8n/settings.ts'
import { leftOut } from './draft.ts'
import { isHere, type Folders, type Where } from './where.ts'

/** What becomes of a variable that may not stay. */
interface Fate {
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

/** Names and lists of names, such as `lodash.get` or `Europe/Berlin`, which look like hosts or files. */
const texts = named(
  'NODE_FUNCTION_ALLOW_.*',
  'NODES_.*',
  'N8N_((DIS|EN)ABLED_MODULES|METRICS_.*|LOG_(SCOPES|OUTPUT|LEVEL))',
  '(GENERIC_TIMEZONE|TZ|LANG|LC_[A-Z]+|N8N_DEFAULT_LOCALE)',
)
/** Files and folders that n8n and Node read or write, where a pod of the run has them. */
const files = named(
  'N8N_(RESTRICT_FILE_ACCESS_TO|STORAGE_PATH|BINARY_DATA_STORAGE_PATH|LOG_FILE_LOCATION|USER_FOLDER)',
  'N8N_(CUSTOM_EXTENSIONS|BLOCK_FILE_PATTERNS)',
  'NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|TMPDIR|HOME|PATH',
)
/** Of Node and the programs beside it, what is a number or a switch. */
const switches = named(
  'NODE_(ENV|NO_WARNINGS|PENDING_DEPRECATION|TLS_REJECT_UNAUTHORIZED|USE_ENV_PROXY|USE_SYSTEM_CA|DISABLE_COLORS)',
  'UV_(THREADPOOL_SIZE|USE_IO_URING)|MALLOC_[A-Z_]+_?|NO_COLOR|FORCE_COLOR',
)
/** What the loader, shells, interpreters and version control read by themselves, whatever is in it. */
const ofPrograms = new RegExp(
  '^((NODE|NPM(_CONFIG)?|UV|LD|DYLD|GLIBC|MALLOC|GCONV|BASH|GIT|SSH|PYTHON|PERL5?|RUBY|JAVA|JDK|LUA|OPENSSL|SSL|CURL'
    + '|PG|K6|GODEBUG|LOCPATH|NLSPATH|TERMINFO|HOSTALIASES|RES|XDG)(_|$)|_JAVA|PYTHON|PERL|RUBY|PG[A-Z]|SSLKEYLOG'
    + '|(ENV|IFS|CDPATH|SHELL|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|EDITOR|VISUAL|PAGER|BROWSER|GOTRACEBACK)$)',
  'i',
)
/** A variable of n8n's that by its name is a program, a file or a folder, even where the value is a single word. */
const filely = new RegExp(
  '(^|_)(PATHS?|FILES?|FILE_?NAME|DIRS?|DIRECTORY|FOLDERS?|LOCATION|EXTENSIONS|SCRIPTS?|HOOKS?|COMMANDS?|CMD|BINARY'
    + '|BIN|EXEC(UTABLE)?|PROGRAM|PRELOAD|PLUGINS?|LIBRARY|CONFIG|SOCKET|SOCK)$',
  'i',
)
const hostly = /_(HOSTS?|HOSTNAME|SERVERS?|ADDRESS(ES)?|ENDPOINTS?|URLS?|URI|BROKERS|DOMAIN|PROXY)$/i

const there = { instead: leftOut, effect: 'n8n does not reach what they name' }

const unread = { instead: leftOut, effect: 'n8n does not read them' }
const unknown = { instead: leftOut, effect: 'What they tell Node or other programs is not measured' }

/** Null: the variable stays. */
export function fateOf(name: string, value: unknown, where: Where, folders: Folders): Fate | null {
  const rule = rules.find(({ names }) => names.test(name))
  if (rule && (rule.always || !isOff(value))) return { instead: rule.instead ?? leftOut, effect: rule.effect }
  if (isMap(value)) return ofElsewhere(name, value)
  const text = String(value ?? '').trim()
  if (text === '' || texts.test(name)) return null
  if (files.test(name)) return partsOf(text).every((path) => isHere(path, where, folders)) ? null : unread
  if (switches.test(name)) return /^\w*$/.test(text) ? null : unknown
  if (ofPrograms.test(name)) return unknown
  if (namesHost(name, text)) return there
  if (isOfN8n(name) && filely.test(name) && !isSwitch(text)) return unread
  const isPath = (part: string) => absolute.test(part) || (isOfN8n(name) && relative.test(part))
  return partsOf(text).some((part) => isPath(part) && !isHere(part, where, folders)) ? unread : null
}

/** The entries of a list: n8n has them between semicolons, commas or colons. */
const partsOf = (text: string) =>
  text
    .split(/[\s;:,="'()[\]{}]+/)
    .map((part) => part.trim())
    .filter(Boolean)

/** Also of a home, upwards, and as Windows writes them. */
const absolute = /^\.*\/|(^|\/)\.\.(\/|$)|^~|\\/
/** In a text of one's own, `and/or` is none. */
const relative = /^[\w@.-]+(\/[\w@.-]+)+$/

const isSwitch = (text: string) => /^(true|false|on|off|yes|no|-?\d+(\.\d+)?)$/i.test(text)

/** A reference may be on: what it leads to is not known. */
const isOff = (value: unknown) => !isMap(value) && ['false', '0', ''].includes(String(value).trim().toLowerCase())

export const madeUp = 'made-up-by-n8n-tuned'

/** A pod knows its own fields. Secrets and ConfigMaps exist only there. */
function ofElsewhere(name: string, { valueFrom }: Record<string, unknown>): Fate | null {
  if (isMap(valueFrom) && ('fieldRef' in valueFrom || 'resourceFieldRef' in valueFrom)) return null
  if (hostly.test(name)) return there
  return isOfN8n(name)
    ? { instead: 'n8n’s default', effect: 'A setting from a Secret or ConfigMap is not measured' }
    : { instead: madeUp, effect: 'Workflows that read them get that text' }
}

/** An address of this machine too: something of production was beside n8n there, and something else is here. */
function namesHost(name: string, text: string): boolean {
  return (
    // `data:` holds a program, and needs no slashes.
    /(^|[^\w.])(?:[a-z][\w+.-]+:\/\/|data:|file:|node:|javascript:)\S/i.test(text)
    || (hostly.test(name) && !/^(true|false|\d+)$/i.test(text))
    || /^(\d{1,3}\.){3}\d{1,3}(:\d+)?$/.test(text)
    || /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9-]+)*:\d{2,5}$/i.test(text)
    || /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i.test(text)
  )
}
