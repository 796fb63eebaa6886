import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { parse, stringify } from 'yaml'
import { rememberRequests } from '../../../secret/given.ts'
import { shownIn } from '../../../secret/known.ts'
import { patternOf } from '../pattern.ts'
import { recordedAs, type Recorded } from '../recording.ts'
import type { Asked } from '../rules.ts'
import { pass } from './pass.ts'
import { readyFor, type Ready } from './respond.ts'

/** Answers each kind of call with the real service's first answer, so that a load calls it once. */
export function openRecording(
  file: string,
): (asked: Asked, request: IncomingMessage, body: Buffer, url: string) => Promise<Ready> {
  const rules = recordedIn(file)
  const answers = new Map(
    rules.map((rule) => [`${rule.method} ${rule.host}${rule.path}`, Promise.resolve(readyFor(rule))]),
  )

  async function ask(asked: Asked, request: IncomingMessage, body: Buffer, url: string): Promise<Ready> {
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
    return readyFor({
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
  const given: unknown = existsSync(file) ? parse(readFileSync(file, 'utf8')) : null
  return (given as { rules?: Recorded[] } | null)?.rules ?? []
}
