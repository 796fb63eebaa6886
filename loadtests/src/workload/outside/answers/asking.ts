import type { IncomingMessage } from 'node:http'
import type { CallAsked } from '../rules.ts'

/** A call that n8n makes, with what it sends. */
export interface Asking extends CallAsked {
  query: URLSearchParams
  headers: IncomingMessage['headers']
  /** Parsed, where it is JSON or a form; else text. */
  body: unknown
  raw: Buffer
  /** Its number among all calls. */
  counter: number
}

export interface ServiceAnswer {
  status?: number
  headers?: Record<string, string>
  /** Sent as JSON, a text or bytes as they are. */
  body?: unknown
}

export function parseBody(raw: Buffer, type = ''): unknown {
  if (raw.length === 0) return {}
  if (/multipart\//i.test(type)) return partsOf(raw, type)
  const text = raw.toString('utf8')
  if (/urlencoded/i.test(type)) return Object.fromEntries(new URLSearchParams(text))
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The fields of a form; of files only their names. */
function partsOf(raw: Buffer, type: string): Record<string, string> {
  const [, boundary] = /boundary="?([^";]+)/i.exec(type) ?? []
  if (!boundary) return {}
  return Object.fromEntries(
    raw
      .toString('latin1')
      .split(`--${boundary}`)
      .flatMap((part) => {
        const [, head = '', content = ''] = /^\r?\n([\s\S]*?)\r?\n\r?\n([\s\S]*?)\r?\n?$/.exec(part) ?? []
        const [, name] = /name="([^"]*)"/i.exec(head) ?? []
        const [, file] = /filename="([^"]*)"/i.exec(head) ?? []
        return name === undefined ? [] : [[name, file ?? content] as const]
      }),
  )
}
