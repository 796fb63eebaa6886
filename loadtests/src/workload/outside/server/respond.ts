import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OutsideRule } from '../../../model/outside.ts'
import type { ServiceAnswer } from '../answers/asking.ts'

/** The bytes that answer a rule, computed once. */
export interface Ready {
  status: number
  headers: Record<string, string | number>
  body: Buffer
}

export function readyByRule({
  status = 200,
  headers,
  body,
  base64,
}: Pick<OutsideRule, 'status' | 'headers'> & Partial<Pick<OutsideRule, 'body' | 'base64'>>): Ready {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const type = base64 === undefined && body !== undefined && typeof body !== 'string' ? 'application/json' : null
  const content = bytesOf(body, base64)
  return {
    status,
    headers: { ...(type && { 'content-type': type }), ...given, 'content-length': content.length },
    body: content,
  }
}

/** An answer that was made for this call. */
export const readyToSend = ({ status = 200, headers = {}, body }: ServiceAnswer): Ready =>
  readyByRule({ status, headers, ...(Buffer.isBuffer(body) ? { base64: body.toString('base64') } : { body }) })

function bytesOf(body: unknown, base64: string | undefined): Buffer {
  if (base64 !== undefined) return Buffer.from(base64, 'base64')
  if (body === undefined) return Buffer.alloc(0)
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

/** n8n’s user reads these in the failed execution, so they say what happened and what to do. */
export const refusalOf = (host: string): Ready =>
  refusal(
    `nothing mocks ${host} in this load test. Give a rule for it under outside.rules (docs/workload.md), or run with `
      + '--allow-outside.',
  )

export const notRecorded = (host: string, reason: string): Ready =>
  refusal(`the answer of ${host} could not be recorded: ${reason}. Give a rule for it in place of its answer.`)

const refusal = (text: string): Ready =>
  readyByRule({ status: 502, headers: {}, body: { error: `n8n-tuned: ${text}` } })

export function respond({ method }: IncomingMessage, response: ServerResponse, { status, headers, body }: Ready): void {
  const bare = status === 204 || status === 304
  response.writeHead(status, bare ? {} : headers)
  response.end(bare || method === 'HEAD' ? undefined : body)
}
