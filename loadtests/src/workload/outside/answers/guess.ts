import { fitted } from '../../inferred/fit.ts'
import type { ServiceAnswer, Asking } from './asking.ts'
import type { Hint } from '../../../model/outside.ts'
import { sampleFile, typeOf } from './files.ts'

/** The ending of a file of that kind, or `json`: what the nodes after it can work with. */
export type As = string

/** An answer for a host that no file of loadtests/services knows: by what the workflow reads, else by the call. */
export function guess(asking: Asking, hint: Hint | undefined): ServiceAnswer {
  const { method, path, body } = asking
  if (method === 'HEAD' || method === 'OPTIONS') return { status: 200 }
  const as = hint?.as
  if (as !== undefined && as !== 'json') return fileOf(as)
  if (hint && (as === 'json' || (typeof hint.sample === 'object' && hint.sample !== null)))
    return { body: Array.isArray(hint.sample) ? fitted(hint.sample, hint) : fitted(made(method, body), hint) }
  const ending = /\.([a-z0-9]{2,4})$/i.exec(path)?.[1]?.toLowerCase()
  if (ending && typeOf(ending)) return fileOf(ending)
  const word = method === 'GET' ? wordOf(asking) : null
  return word ? fileOf(word) : { body: made(method, body) }
}

/** What the words of an address say about its answer. */
function wordOf({ host, path, method }: Asking): string | null {
  if (/rss|feed|sitemap|\bxml\b/i.test(path)) return 'xml'
  if (/\.pdf|\/pdf/i.test(path)) return 'pdf'
  if (/image|photo|picture|thumbnail/i.test(path) && method === 'GET') return 'png'
  if (/audio|speech|voice|mp3/i.test(path)) return 'mp3'
  const isApi = /(^|\.)api[.-]|\/(api|v\d+|graphql|rest|json)(\/|$)/i.test(`${host}${path}`)
  return !isApi && (/^www\./.test(host) || path === '/' || /(^|\.)example\.(com|org|net)$/.test(host)) ? 'html' : null
}

function made(method: string, body: unknown): unknown {
  const sent = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
  const now = new Date().toISOString()
  const common = { id: 'mock-1', status: 'success', success: true, ok: true }
  return method === 'GET' || method === 'DELETE'
    ? // What is asked for again and again until it is done is done.
      { ...common, status: 'completed', name: 'Sample', message: 'A sample answer of the mock.', created_at: now }
    : { ...common, message: 'A sample answer of the mock.', ...sent, created_at: now }
}

const fileOf = (ending: string): ServiceAnswer => ({
  headers: { 'content-type': typeOf(ending) ?? 'text/plain' },
  body: sampleFile(ending),
})
