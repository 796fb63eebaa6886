import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { request as http, type IncomingMessage } from 'node:http'
import { request as https } from 'node:https'
import { isUtf8 } from 'node:buffer'
import { stringify } from 'yaml'
import { yamlValue } from '../../../lib/yaml.ts'
import { rememberRequests } from '../../../secret/given.ts'
import { shownIn } from '../../../secret/known.ts'
import { patternOf } from '../pattern.ts'
import type { CallAsked } from '../rules.ts'
import { readyByRule, type Ready } from './respond.ts'
import { withoutSecretsInAddress, withoutSecretsInAnswer } from '../../../secret/answers.ts'

/** Answers each kind of call with the real service's first answer, so that a load calls it once. */
export function openRecording(
  file: string,
): (asked: CallAsked, request: IncomingMessage, body: Buffer, url: string) => Promise<Ready> {
  const rules = recordedIn(file)
  const answers = new Map(
    rules.map((rule) => [`${rule.method} ${rule.host}${rule.path}`, Promise.resolve(readyByRule(rule))]),
  )

  async function ask(asked: CallAsked, request: IncomingMessage, body: Buffer, url: string): Promise<Ready> {
    const begun = performance.now()
    const answer = await pass(request, body, url)
    // A service may repeat what it was sent.
    const sent = {
      path: url,
      headers: request.headers,
      body: { kind: 'text', text: body.toString(), escape: 'none' } as const,
    }
    rememberRequests([sent], { all: true })
    rules.push(shownIn(recordedAs(asked, answer, performance.now() - begun)))
    // Written at once, in whole, and readable only by its owner: an interrupted run keeps it.
    writeFileSync(file, stringify({ rules }), { mode: 0o600 })
    const type = answer.headers['content-type']
    return readyByRule({
      status: answer.status,
      headers: type ? { 'content-type': String(type) } : {},
      base64: answer.body.toString('base64'),
    })
  }

  return (asked, request, body, url) => {
    const kind = `${asked.method} ${asked.host}${patternOf(asked.path)}`
    const known = answers.get(kind) ?? ask(asked, request, body, url)
    answers.set(kind, known)
    // If the call failed, the next call tries again.
    known.catch(() => answers.delete(kind))
    return known
  }
}

/** Answers that an earlier n8n of the run, or an earlier run, has recorded. */
function recordedIn(file: string): Recorded[] {
  const given: unknown = existsSync(file) ? yamlValue(readFileSync(file, 'utf8')) : null
  return (given as { rules?: Recorded[] } | null)?.rules ?? []
}

/** Headers about the connection, not about the call. */
const hops = new Set(['connection', 'proxy-connection', 'proxy-authorization', 'keep-alive', 'te', 'upgrade'])

/** Sends n8n's call on to the real service, and waits for the whole answer. */
async function pass(asked: IncomingMessage, body: Buffer, url: string): Promise<Answer> {
  const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !hops.has(name)))
  const send = url.startsWith('https:') ? https : http
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    // Without compression, so that a recording is readable.
    send(url, { method: asked.method, headers: { ...headers, 'accept-encoding': 'identity' } }, resolve)
      .on('error', reject)
      .end(body)
  })
  return { status: answer.statusCode!, headers: answer.headers, body: await bytesOf(answer) }
}

export async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** The answer of the real service. */
interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** Headers that describe the answer; the others are about one connection or one caller. */
const telling = new Set(['content-type', 'content-disposition', 'link', 'location', 'retry-after'])

/** A rule as it is written to a file. */
interface Recorded {
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
export function recordedAs({ method, host, path }: CallAsked, { status, headers, body }: Answer, ms: number): Recorded {
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
