/** Requests as plain data: the lab writes them, k6 sends them and checks the answers. It needs neither k6 nor Node. */

/** One kind of request to one webhook. Each text may contain fields that change with each request. */
export interface Request {
  method: string
  /** The path below n8n's URL, with its query: `/webhook/orders?kind=new`. */
  path: string
  headers: Record<string, string>
  body: Body | null
  /** Its share among the kinds of requests to the same workflow. */
  weight: number
  expect: Expectation
  /** Rows of a CSV, one for each request: the index of their table. */
  table: number | null
  /** It goes to n8n's main process, and not to webhook processors. */
  onMain?: true
  opening?: Opening
  sign?: Signature
}

/** A header that says with a secret what the body is, and so differs with each body. */
export interface Signature {
  header: string
  /** What the header says; {{signature}} and {{seconds}} are filled in. */
  value: string
  /** What is signed: a text with {{body}} and {{seconds}}. */
  over: string
  /** The header that names the same time. */
  clock?: string
  hash: 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512'
  encoding: 'hex' | 'base64'
  secret: string
}

/** Each client sends it once, to the same URL. Its answer names a session, which the requests after it name too. */
export interface Opening {
  body: string
  /** The header that holds the session. */
  session: string
}

export type Body =
  | { kind: 'text'; text: string; escape: Escape }
  | { kind: 'bytes'; base64: string }
  | { kind: 'multipart'; fields: Record<string, string>; files: FilePart[] }

export interface FilePart {
  field: string
  name: string
  type: string
  base64: string
}

/** What makes an answer right. Without `status`, every 2xx does. */
export interface Expectation {
  status: number[] | null
  /** JSON path → its value, as JSON text; of objects, only the named keys are compared. */
  json: string | null
  /** A text that it contains. */
  text: string | null
}

export type Row = Record<string, string>

/** A request, and which of several workflows it goes to. */
export interface Call extends Omit<Request, 'path' | 'onMain'> {
  url: string
  /** The index of its workflow. */
  workflow: number
}

export interface Calls {
  calls: Call[]
  /** Rows of CSV files. */
  tables: Row[][]
}

/** The values of changing fields in one request. */
export interface Moment {
  /** 1 for the first request of a step, 2 for the next. */
  counter: number
  uuid: string
  /** Epoch milliseconds. */
  now: number
  row: Row
}

/** How to encode a value for the place where it is filled in. */
export type Escape = 'json' | 'url' | 'none'

const field = /\{\{\s*(counter|uuid|time|timestamp|row\.([^{}]+?))\s*\}\}/g

/** The text with its changing fields filled in. Other double braces stay, because they may belong to the text. */
export function fill(text: string, moment: Moment, escape: Escape): string {
  if (!text.includes('{{')) return text
  return text.replace(field, (_, name: string, column?: string) => escaped(valueOf(name, column, moment), escape))
}

/** The columns of a CSV that a text uses. */
export const columnsIn = (text: string): string[] => [...text.matchAll(field)].flatMap(([, , column]) => column ?? [])

function valueOf(name: string, column: string | undefined, { counter, uuid, now, row }: Moment): string {
  if (column !== undefined) return row[column] ?? ''
  switch (name) {
    case 'counter':
      return String(counter)
    case 'uuid':
      return uuid
    case 'time':
      return new Date(now).toISOString()
    default:
      return String(now)
  }
}

function escaped(value: string, escape: Escape): string {
  if (escape === 'json') return JSON.stringify(value).slice(1, -1)
  return escape === 'url' ? encodeURIComponent(value) : value
}

/** Computed by k6 there, and by Node here. */
export type Hmac = (sign: Pick<Signature, 'hash' | 'encoding' | 'secret'>, data: string | ArrayBuffer) => string

/** The headers that sign a body. Bytes can be signed alone. */
export function signed(sign: Signature | undefined, body: unknown, now: number, hmac: Hmac): Record<string, string> {
  if (!sign) return {}
  const seconds = String(Math.floor(now / 1000))
  const sent = typeof body === 'string' ? body : ''
  const over = sign.over.replace('{{seconds}}', seconds).replace('{{body}}', () => sent)
  const signature = hmac(sign, body instanceof ArrayBuffer && sign.over === '{{body}}' ? body : over)
  return {
    [sign.header]: sign.value.replace('{{seconds}}', seconds).replace('{{signature}}', signature),
    ...(sign.clock !== undefined && { [sign.clock]: seconds }),
  }
}

export const filled = (texts: Record<string, string>, moment: Moment): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text, moment, 'none')]))

export const isExpected = (status: number, { status: expected }: Expectation): boolean =>
  expected ? expected.includes(status) : status >= 200 && status < 300

/** Whether the text of the answer is checked. */
export const readsAnswer = ({ json, text }: Expectation): boolean => json !== null || text !== null

export type Wrong = 'wrong_json' | 'wrong_text'

/** What is wrong with an answer whose status is right. */
export function wrongIn(answer: string, { json, text }: Expectation, moment: Moment): Wrong | null {
  if (text !== null && !answer.includes(fill(text, moment, 'none'))) return 'wrong_text'
  return json === null || hasAll(answer, JSON.parse(fill(json, moment, 'json'))) ? null : 'wrong_json'
}

function hasAll(answer: string, expected: Record<string, unknown>): boolean {
  let parsed: unknown
  try {
    parsed = JSON.parse(answer)
  } catch {
    return false
  }
  return Object.entries(expected).every(([path, value]) => covers(valueAt(parsed, path), value))
}

/** `$.items[0].id`, `items.0.id` or `$['a b']`. */
function valueAt(root: unknown, path: string): unknown {
  const keys = path.replace(/^\$/, '').match(/'[^']*'|"[^"]*"|[^.[\]'"]+/g) ?? []
  return keys.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key.replace(/^['"]|['"]$/g, '')],
    root,
  )
}

function covers(got: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return got === expected
  if (typeof got !== 'object' || got === null || Array.isArray(got) !== Array.isArray(expected)) return false
  if (Array.isArray(expected) && expected.length !== (got as unknown[]).length) return false
  return Object.entries(expected).every(([key, value]) => covers((got as Record<string, unknown>)[key], value))
}
