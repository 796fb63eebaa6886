import { looksRandom, redacted, withoutForms } from './forms.ts'
import { isHarmlessKey, isTelling } from './secrecy.ts'

/**
 * What another service answered, without its secrets, so that it may be kept as an answer of the mock. Texts that
 * people write stay. A long random text goes unless its key is known to be harmless.
 */

/** JSON becomes data, so that a reader can change it. */
export function withoutSecretsInAnswer(text: string): unknown {
  const lines = text.split('\n').filter((line) => line.trim())
  const whole = parsed(text)
  if (whole !== undefined) return withoutSecretsInData(whole)
  if (lines.length > 1 && lines.every((line) => parsed(line) !== undefined))
    return `${lines.map((line) => JSON.stringify(withoutSecretsInData(parsed(line)))).join('\n')}\n`
  if (isForm(text)) return withoutSecretsInForm(text)
  return withoutSecretsInText(text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function withoutSecretsInData(given: unknown, key = '', within = false): unknown {
  if (Array.isArray(given)) return given.map((item) => withoutSecretsInData(item, key, within))
  if (typeof given === 'object' && given !== null)
    return Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        name,
        withoutSecretsInData(value, name, within || isSecretKey(name)),
      ]),
    )
  if (typeof given === 'string') return withoutSecretsInValue(given, key, within)
  return typeof given === 'number' && isNumberKey(key) ? redacted : given
}

/** A text may itself hold JSON or a URL. */
function withoutSecretsInValue(text: string, key: string, within = false): string {
  if (text === '') return text
  if (within ? !describing.test(key) || looksRandom(text) : isSecretKey(key)) return redacted
  const inner = /^\s*[{[]/.test(text) ? parsed(text) : undefined
  if (inner !== undefined) return JSON.stringify(withoutSecretsInData(inner))
  if (looksRandom(text) && !isHarmlessKey(key)) return redacted
  return withoutSecretsInText(text)
}

const isSecretKey = (key: string) => identity.test(key) || ((isTelling(key) || inside.test(key)) && !about.test(key))
const inside = /token|secret|passw|api[-_]?key|authorization|cookie|credential|session/i
/** Ids that let one in. */
const identity = /(session|access_?key)_?id$/i
/** What stands beside a secret, and is none. */
const describing = /^(type|kind|name|scopes?|status|expir(es|y)\w*|created\w*|updated\w*|url|uri)$/i
/** A figure is a secret only where its key says so plainly. */
const isNumberKey = (key: string) => /(^|_)(password|passcode|pin|otp|secret|token)$/i.test(key)
/** What is told about a token, and is none. */
const about = /_?(type|expires?(_?(in|at|on))?|count|limit|usage|uri|url|id|name)$/i

const isForm = (text: string) => /^[\w.[\]%-]+=[^\s&<>]*(&[\w.[\]%-]+=[^\s&<>]*)*$/.test(text.trim())

function withoutSecretsInForm(text: string): string {
  return text
    .trim()
    .split('&')
    .map((pair) => {
      const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? []
      const plain = decoded(value)
      const kept = withoutSecretsInValue(plain, decoded(name))
      return kept === plain ? pair : `${name}=${encodeURIComponent(kept)}`
    })
    .join('&')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** XML, HTML, a header or words: elements, attributes and pairs by their names, and the rest by its form. */
export function withoutSecretsInText(text: string): string {
  const elements = text.replace(
    /<([\w:.-]+)(\s[^<>]*)?>([^<>]+)(?=<\/\1>)/g,
    (all, name: string, rest = '', value: string) =>
      replaced(value, name) === value ? all : `<${name}${rest}>${redacted}`,
  )
  const pairs = elements.replace(
    /([A-Za-z][\w-]*)(["']?\s?[=:]\s?)(["']?)([^\s"'<>&;,]+)/g,
    (all, name: string, equals: string, quote: string, value: string) =>
      replaced(value, name) === value ? all : `${name}${equals}${quote}${redacted}`,
  )
  return withoutForms(pairs)
}

/** A header with addresses: their paths may hold tokens, too. */
export function withoutSecretsInAddress(text: string): string {
  const paths = text.replace(/(?<=[^/]\/|^\/)[^/?#\s<>;,"]+/g, (part) => (looksRandom(part) ? redacted : part))
  return withoutSecretsInText(paths)
}

/** In a text without keys of its own, only a name that tells, or a random text beside one, is taken for a secret. */
function replaced(value: string, name: string): string {
  if (isSecretKey(name) && /[\w]{3}/.test(value)) return redacted
  return looksRandom(value) && !isHarmlessKey(name) ? redacted : value
}
