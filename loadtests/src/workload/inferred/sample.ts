import { createContext, Script } from 'node:vm'
import type { Shape } from './shape.ts'

/** Values of a sample: what is read of itself, or of another in several places, soon is without end. */
export const mostValues = 5000

/**
 * What fits a name and what is read of it. Fields such as `{{counter}}` differ with each request. `whole`: also what a
 * node of the workflow has made, which needs no sample unless something stands in for that node.
 */
export function sampleOf(shape: Shape, depth = 0, made = { values: 0 }, whole = false): unknown {
  if (depth > 12 || ++made.values > mostValues) return null
  if (whole && shape.constant !== undefined) return shape.constant
  if (shape.empty) return ''
  if (shape.parsed) return JSON.stringify(sampleOf(shape.parsed, depth + 1, made, whole))
  // The length of a text or a list is no field of an object.
  const fields = [...shape.fields].filter(([name]) => name !== 'length')
  // A field by a name that is known only later looks like an element: `row[column.name]`. So does a letter of a text.
  const { element, kinds } = shape
  const isText = kinds.has('text') && !element?.isRead
  if (element && fields.length === 0 && (kinds.has('list') || !isText)) {
    const sample = sampleOf(element, depth + 1, made, whole)
    if (!kinds.has('object') || kinds.has('list')) return [sample]
    return element.name || element.isRead ? { [element.name || 'key']: sample } : {}
  }
  if (fields.length) {
    return Object.fromEntries(
      fields
        .filter(([, field]) => whole || !field.made)
        .map(([name, field]) => [name, sampleOf(field, depth + 1, made, whole)]),
    )
  }
  if (shape.starts !== null || shape.ends !== null) return framed(shape)
  const [value] = shape.values
  if (value !== undefined) return value
  if (shape.parts.length) {
    const usual = String(sampleFor(shape.name))
    return shape.parts.every((part) => usual.includes(part)) ? usual : shape.parts.join(' ')
  }
  if (shape.above !== null) return Math.floor(shape.above) + 1
  if (shape.below !== null) return Math.ceil(shape.below) - 1
  if (shape.kinds.has('list')) return [sampleFor(shape.name)]
  if (shape.kinds.has('object')) return {}
  if (shape.kinds.has('boolean') && !shape.kinds.has('text')) return true
  const fits = matching(shape)
  if (shape.kinds.has('email')) return 'ada.lovelace@example.com'
  if (shape.kinds.has('url')) return 'https://www.example.com/page'
  if (shape.kinds.has('date'))
    return typeof fits === 'string' && /^\d{4}-/.test(fits) ? fits : '2026-01-31T09:30:00.000Z'
  if (shape.kinds.has('number') && typeof fits !== 'number') return shape.kinds.has('text') ? '3' : 3
  if (shape.kinds.has('text')) return asText(fits)
  return fits
}

function framed(shape: Shape): string {
  const { starts, ends, values, name } = shape
  const fits =
    values.find((value) => typeof value === 'string') ?? (starts === null ? sampleFor(name) : name || 'sample')
  const begun = starts === null || String(fits).startsWith(starts) ? String(fits) : `${starts}${String(fits)}`
  return ends === null || begun.endsWith(ends) ? begun : `${begun}${ends}`
}

/** A field alone becomes a number where it is filled in; with a digit before, a text. */
const asText = (value: unknown): string =>
  /^\{\{(counter|timestamp)\}\}$/.test(String(value)) ? `1${String(value)}` : String(value)

/** By its name, unless the code looks for a pattern that this does not have. */
function matching({ name, patterns }: Shape): unknown {
  const usual = sampleFor(name)
  if (patterns.some(({ source }) => source.length > longestPattern)) return usual
  const named = byName.map(([, value]) => value)
  try {
    return [usual, ...forms, ...named].find((value) => patterns.every((one) => matches(one, String(value)))) ?? usual
  } catch {
    return usual
  }
}

/** A longer one takes seconds and gigabytes before it is tried: `(a?){30}` within `{30}` within `{30}`. */
const longestPattern = 500

const alone = createContext(Object.create(null) as object)
const testing = new Script('pattern.test(text)')

/** Throws for a pattern of the workflow that does not come to an end with this text: `^(\w+)+$`. */
function matches({ source, flags }: RegExp, text: string): boolean {
  Object.assign(alone, { pattern: new RegExp(source, flags.replace(/[gy]/g, '')), text })
  return testing.runInContext(alone, { timeout: 50 }) as boolean
}

const forms = [
  'DE',
  'EUR',
  'en',
  '2026-01-31',
  '31/01/2026',
  '01/31/2026',
  '09:30',
  '1',
  '42',
  '12345',
  'ABC-123',
  'abc',
  'ABC',
  '+14155550123',
  '4155550123',
  'DE89370400440532013000',
  '0f8fad5b-d9cb-469f-a165-70867728950e',
  '/start',
  '#general',
  '@ada',
  '0123456789abcdef',
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
]

/** By the name of a field, as people write such names. The first that matches counts. */
const byName: [pattern: RegExp, value: unknown][] = [
  [/e-?mail|^(to|from|cc|bcc|sendTo|reply_?to)$/i, 'ada.lovelace@example.com'],
  [/phone|mobile|whatsapp|telephone|^tel$|wa_?id/i, '+14155550123'],
  [/(image|photo|picture|avatar|thumbnail|logo|cover)(_?-?(url|link|src))?$/i, 'https://www.example.com/image.png'],
  [/(file|document|pdf|audio|video|media|attachment)_?-?(url|link)$/i, 'https://www.example.com/file.pdf'],
  [/^(is|has|should|can|was|did|enable|allow)[A-Z_]/, true],
  [/^(enabled|active|success|ok|verified|confirmed|completed|done|valid|approved|subscribed)$/i, true],
  [/url|link|href|website|homepage|webpage|permalink|redirect|^domain$|uri$/i, 'https://www.example.com/page'],
  [/(^|_)(uuid|guid|session_?id)$|sessionId/i, '{{uuid}}'],
  [/timestamp|_ts$|^ts$|epoch/i, '{{timestamp}}'],
  [/^time$|hour/i, '09:30'],
  [
    /date|_at$|At$|^(created|updated|due|start|end|deadline|birthday|dob)$|_(on|until|since)$/,
    '2026-01-31T09:30:00.000Z',
  ],
  [/first[_ ]?name|FirstName|^given/i, 'Ada'],
  [/last[_ ]?name|surname|family_?name/i, 'Lovelace'],
  [/file_?name|filename/i, 'sample.pdf'],
  [/mime_?type|content_?type/i, 'application/pdf'],
  [/user_?name|login|handle|nickname|screen_?name/i, 'ada'],
  [/company|organi[sz]ation|employer|business|brand|vendor|supplier/i, 'Example Ltd'],
  [
    /(customer|client|contact|full|author|sender|recipient|person|employee|user|display|candidate)_?name|^name$/i,
    'Ada Lovelace',
  ],
  [/^(author|sender|customer|client|owner|assignee)$/i, 'Ada Lovelace'],
  [/country/i, 'Germany'],
  [/product|item_?name|^sku$/i, 'Notebook'],
  [/amount|price|total|cost|budget|salary|revenue|value|balance|fee|sum|subtotal|tax/i, 42.5],
  [/count$|_count|Count|quantity|^qty$|number_of|num_|(^|_)age$|size|limit|page|score|rating|index|offset|rank/i, 3],
  [/year|month|day|weight|height|width|duration|minutes|seconds|percent|length|stock|views|likes/i, 3],
  [/currency/i, 'EUR'],
  [/city|town|location|place/i, 'Berlin'],
  [/zip|postal|postcode/i, '10115'],
  [/street|address/i, '1 Example Street'],
  [/language|lang|locale/i, 'en'],
  [/latitude|^lat$/i, 52.52],
  [/longitude|^l(ng|on)g?$/i, 13.405],
  [/time_?zone|^tz$/i, 'Europe/Berlin'],
  [/status|state|stage/i, 'active'],
  [/type|category|kind|topic|tag|label|genre|intent|department|role/i, 'general'],
  [/colou?r/i, '#336699'],
  [/^ip|_ip$|ipAddress/i, '192.0.2.10'],
  [/base64|b64/i, 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='],
  [/(^|_| )(id|ID|Id|iid)s?$|[a-z]I[dD]s?$|^key$|[nN]umber$|_no$|[rR]eference|^ref$/, '{{counter}}'],
  [/token|secret|api_?key|password|signature|hash|nonce|code$/i, 'mock-0123456789abcdef'],
  [/subject|title|headline|heading|caption/i, 'A sample title'],
  [/html/i, '<html><body><h1>Sample</h1><p>A sample paragraph.</p></body></html>'],
  [
    /query|question|search|keyword|term|prompt|chatInput|input|message|text|content|body|comment|description/i,
    'A sample text about a notebook, for request {{counter}}.',
  ],
  [
    /summary|note|feedback|bio|transcript|answer|reply|response|review|reason/i,
    'A sample text about a notebook, for request {{counter}}.',
  ],
]

export function sampleFor(name: string): unknown {
  const found = byName.find(([pattern]) => pattern.test(name))
  return found ? found[1] : `sample ${name.replaceAll(/[^\w -]/g, '') || 'text'}`
}

/** The same where nothing fills in the fields that differ with each request. */
export const plainSample = (name: string): string => withoutFields(String(sampleFor(name)))

export const withoutFields = (text: string): string =>
  text.replace(/\{\{(counter|timestamp)\}\}/g, '1').replace(/\{\{(uuid|time)\}\}/g, 'mock')

/** The same of all texts within. */
export const withoutFieldsIn = (value: unknown): unknown =>
  typeof value === 'string'
    ? withoutFields(value)
    : Array.isArray(value)
      ? value.map(withoutFieldsIn)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutFieldsIn(one)]))
        : value
