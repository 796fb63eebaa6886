import { relative } from 'node:path'
import { parseJson } from '../../lib/json.ts'
import { readText } from '../../lib/read.ts'
import { unreadable, problemOf } from '../../lib/errors.ts'
import { badRequest, parseRequest, parseRequests, type RequestSpec } from './schema.ts'
import { fromCurl } from './curl.ts'
import { fromHar } from './har.ts'

/** Reads requests from a file: JSON, NDJSON with one for each line, a browser's HAR, or a curl command. */
export async function readRequests(file: string): Promise<RequestSpec[]> {
  const where = relative('.', file)
  const text = await readText(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(where, problemOf(error))
  })
  return requestsIn(text, where)
}

export function requestsIn(text: string, where: string): RequestSpec[] {
  if (/^\s*(\$ )?curl\s/.test(text)) return fromCurl(text.replace(/^\s*\$ /, ''), where)
  const whole = parsed(text)
  if (whole !== undefined) return isHar(whole) ? fromHar(whole, where) : parseRequests(whole, where)
  const lines = text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim())
  if (!lines.length) throw badRequest(where, 'Expected a request, got an empty file.')
  return lines.map(({ line, number }) => {
    const given = parsed(line)
    if (given === undefined)
      throw badRequest(
        `${where}:${number}`,
        'Expected JSON, one request for each line, got something else.',
        'A file of requests is JSON, NDJSON, a HAR or a curl command; docs/workload.md shows each.',
      )
    return parseRequest(given, `${where}:${number}`)
  })
}

const isHar = (given: unknown): boolean =>
  Array.isArray((given as { log?: { entries?: unknown } } | null)?.log?.entries)

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
