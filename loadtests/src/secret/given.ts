import type { Body } from '../../scenarios/request.ts'
import { remember } from './known.ts'
import { isHarmlessKey, isTelling } from './secrecy.ts'

/** The secrets in what a run sends and in what it gives to n8n. */

/** Everything in the data of a credential, but where it leads to. */
export function rememberCredentials(credentials: { data: object }[]): void {
  for (const { data } of credentials)
    eachText(data, (text, key) => {
      if (!places.has(key)) remember(text)
    })
}

const places = new Set(['host', 'port', 'database', 'url', 'baseUrl', 'server', 'region', 'name', 'ssl', 'algorithm'])

interface Sent {
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Body | null
  sign?: { secret: string }
}

/** `all`: also headers whose names tell nothing, and whose values may be words of a report. */
export function rememberRequests(requests: Sent[], { all = false } = {}): void {
  for (const { path, headers, body, sign } of requests) {
    if (sign) remember(sign.secret)
    for (const [key, value] of new URL(path, 'http://localhost').searchParams)
      remember(value, isHarmlessKey(key) ? 'unknown' : asGiven(value))
    rememberHeaders(headers, all)
    if (body)
      eachText(dataOf(body), (text, key) => {
        if (!isHarmlessKey(key)) remember(text, isTelling(key) ? 'secret' : 'unknown')
      })
  }
}

/** Long enough that it is no word of a report: what a user gives under a name that nobody knows may let one in. */
const asGiven = (value: string) => (/^\S{10,}$/.test(value) && !value.includes('{{') ? 'secret' : 'unknown')

const told = new RegExp(
  '^(accept(-.*)?|access-control-.*|cache-control|content-(type|length|language|encoding)|date|dnt|host|if-.*|origin'
    + '|referer|user-agent|x-requested-with)$',
  'i',
)

/** Words in the names of headers that let one in: `x-shop-key`, `x-hub-signature-256`. */
const inside = /auth|cookie|credential|key|pass|secret|session|sign|token/i

function rememberHeaders(headers: Sent['headers'], all: boolean): void {
  for (const [name, values] of Object.entries(headers)) {
    if (told.test(name)) continue
    for (const value of [values ?? []].flat()) {
      remember(value, all || inside.test(name) ? 'secret' : asGiven(value))
      // `Bearer …`, and `Basic …` with a name and a password.
      const [, scheme, token] = /^(\w+) (\S+)$/.exec(value) ?? []
      if (token) remember(token)
      if (token && scheme?.toLowerCase() === 'basic')
        remember(Buffer.from(token, 'base64').toString().split(':').slice(1).join(':'))
    }
  }
}

function dataOf(body: Body): unknown {
  if (body.kind === 'multipart') return body.fields
  return body.kind === 'text' ? dataIn(body.text) : null
}

/** JSON or a form; null if it is neither. */
function dataIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return /^[^\s=&]+=[^\s&]*(&[^\s=&]+=[^\s&]*)*$/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : null
  }
}

/** Each text with its key. What is below a telling key has that key: `{"tokens": ["…"]}`. */
function eachText(given: unknown, found: (text: string, key: string) => void, key = ''): void {
  if (typeof given === 'string') found(given, key)
  else if (typeof given === 'object' && given !== null)
    for (const [name, value] of Object.entries(given)) {
      const own = Array.isArray(given) || isTelling(key)
      eachText(value, found, own ? key : name)
    }
}
