import { parseArgs } from 'node:util'
import { badRequest, parseRequest, type RequestGiven, type RequestSpec } from './schema.ts'
import { nameValue } from '../../lib/name-value.ts'
import { queryOf } from './har.ts'
import { carriedHeaders } from './headers.ts'

const text = { type: 'string' } as const
const texts = { type: 'string', multiple: true } as const
const flag = { type: 'boolean' } as const

const options = {
  request: { ...text, short: 'X' },
  url: text,
  header: { ...texts, short: 'H' },
  data: { ...texts, short: 'd' },
  'data-raw': texts,
  'data-ascii': texts,
  'data-binary': texts,
  'data-urlencode': texts,
  json: texts,
  form: { ...texts, short: 'F' },
  user: { ...text, short: 'u' },
  'user-agent': { ...text, short: 'A' },
  cookie: { ...text, short: 'b' },
  get: { ...flag, short: 'G' },
  // Options that do not change the request.
  silent: { ...flag, short: 's' },
  'show-error': { ...flag, short: 'S' },
  verbose: { ...flag, short: 'v' },
  include: { ...flag, short: 'i' },
  insecure: { ...flag, short: 'k' },
  location: { ...flag, short: 'L' },
  fail: { ...flag, short: 'f' },
  compressed: flag,
  'max-time': { ...text, short: 'm' },
  output: { ...text, short: 'o' },
} as const

/** Reads the request from a curl command, such as one copied from a browser. */
export function fromCurl(command: string, where: string): RequestSpec[] {
  const [, ...words] = shellWords(command.trim())
  const { values, positionals } = read(words, where)
  const url = urlOf(values.url ?? positionals[0] ?? '')
  if (!url)
    throw badRequest(
      where,
      'Expected a curl command with a URL, got one without.',
      'Give the whole command, as the browser or the terminal had it.',
    )
  return [parseRequest(specOf(values, url), where)]
}

type Values = ReturnType<typeof read>['values']

function read(args: string[], where: string) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw badRequest(
      where,
      `Expected options of curl that say what is sent, got: ${(error as Error).message.split('.')[0]}.`,
      'Leave that option out of the command.',
    )
  }
}

function specOf(values: Values, url: URL): RequestGiven {
  const { get, json = [] } = values
  const data = [
    ...(values.data ?? []),
    ...(values['data-raw'] ?? []),
    ...(values['data-ascii'] ?? []),
    ...(values['data-binary'] ?? []),
    ...(values['data-urlencode'] ?? []).map(encoded),
    ...json,
  ]
  const query = new URLSearchParams([url.searchParams.toString(), ...(get ? data : [])].filter(Boolean).join('&'))
  const form = (values.form ?? []).map((part) => {
    const [name, value = ''] = nameValue(part)
    return [name, value] as const
  })
  const sent = data.length > 0 && !get
  return {
    method: values.request ?? (sent || form.length ? 'POST' : 'GET'),
    webhook: url.pathname,
    query: queryOf(query),
    headers: {
      ...(sent && { 'content-type': json.length ? 'application/json' : 'application/x-www-form-urlencoded' }),
      ...headersOf(values),
    },
    ...(values.user !== undefined && {
      auth: { basic: { user: values.user.split(':')[0]!, password: values.user.slice(values.user.indexOf(':') + 1) } },
    }),
    ...(sent
      && (data.length === 1 && data[0]!.startsWith('@')
        ? { file: data[0]!.slice(1) }
        : { body: data.join(json.length ? '' : '&') })),
    ...(form.length && {
      form: Object.fromEntries(form.filter(([, value]) => !value.startsWith('@'))),
      files: Object.fromEntries(
        form.filter(([, value]) => value.startsWith('@')).map(([name, value]) => [name, uploaded(value)]),
      ),
    }),
  }
}

function headersOf({ header = [], cookie, 'user-agent': agent }: Values): Record<string, string> {
  const given = header.map(
    (line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as [string, string],
  )
  return carriedHeaders([
    ...given,
    ...(agent === undefined ? [] : [['user-agent', agent] as [string, string]]),
    ...(cookie === undefined ? [] : [['cookie', cookie] as [string, string]]),
  ])
}

function encoded(given: string): string {
  const [name, value] = nameValue(given)
  return name && value !== undefined ? `${name}=${encodeURIComponent(value)}` : encodeURIComponent(value ?? name)
}

/** `@photo.jpg;type=image/jpeg` */
function uploaded(value: string): { path: string; type?: string; name?: string } {
  const [path, ...rest] = value.slice(1).split(';')
  const given = Object.fromEntries(rest.map((one) => nameValue(one.trim())))
  return { path: path!, ...(given.type && { type: given.type }), ...(given.filename && { name: given.filename }) }
}

const urlOf = (given: string) => {
  const whole = /^https?:\/\//.test(given) ? given : `http://${given}`
  return given && URL.canParse(whole) ? new URL(whole) : null
}

/** Splits a command into words as a shell does: '…', "…", $'…' and backslashes. Expands nothing. */
function shellWords(command: string): string[] {
  const words: string[] = []
  let word: string | null = null
  const part = /\\\r?\n|(\s+)|'([^']*)'|\$'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\$]+|\$)/gsy
  for (const [whole, space, single, ansi, double, escaped, plain] of command.matchAll(part)) {
    if (space !== undefined) {
      if (word !== null) words.push(word)
      word = null
    } else if (!/^\\\r?\n/.test(whole)) {
      word =
        (word ?? '')
        + (single
          ?? (ansi === undefined ? undefined : ansiText(ansi))
          ?? double?.replace(/\\(\r?\n|["\\$`])/g, (_, of: string) => (of.endsWith('\n') ? '' : of))
          ?? escaped
          ?? plain
          ?? '')
    }
  }
  return word === null ? words : [...words, word]
}

const controls: Record<string, string> = { n: '\n', r: '\r', t: '\t', 0: '\0' }

const ansiText = (text: string) =>
  text.replace(
    /\\(?:u([0-9a-fA-F]{1,4})|x([0-9a-fA-F]{1,2})|(.))/gs,
    (_, unicode?: string, hex?: string, char?: string) => {
      const code = unicode ?? hex
      return code === undefined ? (controls[char!] ?? char!) : String.fromCharCode(parseInt(code, 16))
    },
  )
