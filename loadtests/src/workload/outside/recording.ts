import { isUtf8 } from 'node:buffer'
import { withoutSecretsInAddress, withoutSecretsInAnswer } from '../../secret/answers.ts'
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
  const content = text === null ? { base64: body.toString('base64') } : { body: withoutSecretsInAnswer(text) }
  return {
    host,
    method,
    path: patternOf(path),
    status,
    headers: Object.fromEntries(
      kept.map(([name, value]) => [name, withoutSecretsInAddress([value].flat().join(', '))]),
    ),
    ...(body.length > 0 && content),
    latency: `${Math.round(ms)}ms`,
  }
}

/** A service may leave its type out, or call a text bytes. */
function textIn(type: string | string[] | undefined, body: Buffer): string | null {
  const said = String(type)
  if (
    !/json|text|xml|javascript|urlencoded/i.test(said)
    && (/^(image|audio|video|font)\//i.test(said) || !isUtf8(body))
  )
    return null
  return body.includes(0) ? null : body.toString('utf8')
}
