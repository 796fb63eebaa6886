import { patternOf } from './pattern.ts'
import type { Asked } from './rules.ts'

/** The answer of the real service. */
export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** Headers that describe the answer; the others are about one connection or one caller. */
const telling = new Set(['content-type', 'content-disposition', 'link', 'location', 'retry-after'])
const secret = /token|secret|passw|api[-_]?key|authorization|cookie|session|credential/i
const replacement = 'replaced by n8n-tuned'

/** A rule as it is written to a file. */
export interface Recorded {
  host: string
  method: string
  path: string
  status: number
  headers: Record<string, string>
  body?: unknown
  base64?: string
  latency: string
}

/** An answer as a rule, without secrets: neither those of the caller, nor those in the answer. */
export function recordedAs({ method, host, path }: Asked, { status, headers, body }: Answer, ms: number): Recorded {
  const kept = Object.entries(headers).filter(([name]) => telling.has(name))
  const text = textIn(headers['content-type'], body)
  const content = text === null ? { base64: body.toString('base64') } : { body: withoutSecrets(text) }
  return {
    host,
    method,
    path: patternOf(path),
    status,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, [value].flat().join(', ')])),
    ...(body.length > 0 && content),
    latency: `${Math.round(ms)}ms`,
  }
}

function textIn(type: string | string[] | undefined, body: Buffer): string | null {
  if (!/json|text|xml|javascript|urlencoded/i.test(String(type))) return null
  return body.toString('utf8')
}

/** JSON is written as data, so that a reader can change it. */
function withoutSecrets(text: string): unknown {
  try {
    return JSON.parse(text, (key, value: unknown) =>
      typeof value === 'string' && secret.test(key) ? replacement : value,
    )
  } catch {
    return text
  }
}
