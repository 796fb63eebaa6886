import { hasSecretForm } from './forms.ts'
import { harmlessFields, harmlessKeys, harmlessVariables, secretVariables } from './harmless.ts'

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
