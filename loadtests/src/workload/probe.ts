import { fill, filled, type Request, type Row } from '../../scenarios/request.ts'

/** One request that shows whether a webhook answers. */
export interface Probe {
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

/** The same as the first request of a step; where that needs a session, what opens it. */
export async function probeOf(
  { method, path, headers, body, expect, table, onMain, opening }: Request,
  tables: Row[][],
): Promise<Probe> {
  const moment = {
    counter: 1,
    uuid: crypto.randomUUID(),
    now: Date.now(),
    row: table === null ? {} : tables[table]![0]!,
  }
  const own = filled(headers, moment)
  const probe = { method, path: fill(path, moment, 'url'), expected: expect.status, ...(onMain && { onMain }) }
  if (opening) return { ...probe, headers: own, body: new TextEncoder().encode(opening.body), idle: true }
  if (body === null) return { ...probe, headers: own, body: null }
  if (body.kind === 'text')
    return { ...probe, headers: own, body: new TextEncoder().encode(fill(body.text, moment, body.escape)) }
  if (body.kind === 'bytes') return { ...probe, headers: own, body: new Uint8Array(Buffer.from(body.base64, 'base64')) }
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
