import { createHmac } from 'node:crypto'
import { fill, filled, signed, type Hmac, type Request, type Row } from '../../scenarios/request.ts'

/** One request that shows whether a webhook answers. */
export interface WebhookProbe {
  method: string
  /** Below n8n's URL. */
  path: string
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer> | null
  /** Statuses that count as right; null means any success. */
  expected: number[] | null
  /** Main answers it, and not webhook processors. */
  onMain?: true
  /** It begins no execution. */
  idle?: true
}

const hmac: Hmac = ({ hash, secret, encoding }, data) =>
  createHmac(hash, secret)
    .update(typeof data === 'string' ? data : Buffer.from(data))
    .digest(encoding)

/** The same as the first request of a step; where that needs a session, what opens it. */
export async function probeOf(
  { method, path, headers, body, expect, table, onMain, opening, sign }: Request,
  tables: Row[][],
): Promise<WebhookProbe> {
  const moment = {
    counter: 1,
    uuid: crypto.randomUUID(),
    now: Date.now(),
    row: table === null ? {} : tables[table]![0]!,
  }
  const own = filled(headers, moment)
  const probe = { method, path: fill(path, moment, 'url'), expected: expect.status, ...(onMain && { onMain }) }
  if (opening) return { ...probe, headers: own, body: new TextEncoder().encode(opening.body), idle: true }
  const signing = (sent: string | ArrayBuffer) => ({ ...own, ...signed(sign, sent, moment.now, hmac) })
  if (body === null) return { ...probe, headers: signing(''), body: null }
  if (body.kind === 'text') {
    const text = fill(body.text, moment, body.escape)
    return { ...probe, headers: signing(text), body: new TextEncoder().encode(text) }
  }
  if (body.kind === 'bytes') {
    const bytes = new Uint8Array(Buffer.from(body.base64, 'base64'))
    return { ...probe, headers: signing(bytes.buffer), body: bytes }
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(filled(body.fields, moment))) form.set(name, value)
  for (const { field, name, type, base64 } of body.files)
    form.set(field, new Blob([Buffer.from(base64, 'base64')], { type }), name)
  const written = new Response(form)
  return {
    ...probe,
    headers: { ...own, 'content-type': written.headers.get('content-type')! },
    body: new Uint8Array(await written.arrayBuffer()),
  }
}
