import type { PinnedItem } from '../../n8n/exported.ts'
import type { Trigger } from '../../n8n/address.ts'
import { carriedHeaders } from './headers.ts'
import { requestSchema, type RequestGiven, type RequestSpec } from './schema.ts'

/** What the editor stored of a call: an item of the Webhook node's output. */
interface Pinned {
  headers?: Record<string, string>
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}

/** The default request: the data pinned on the trigger, or a bare request without them. */
export const pinnedRequests = (trigger: Trigger, blank: (item: unknown) => unknown = (item) => item): RequestSpec[] =>
  (trigger.pinned.length ? trigger.pinned : [{}]).map((item) =>
    requestSchema.parse({ webhook: trigger.node, ...specOf(blank(item.json ?? item) as PinnedItem, trigger) }),
  )

function specOf(item: PinnedItem, { takes }: Trigger): RequestGiven {
  const output = (item.json ?? item) as Record<string, unknown>
  switch (takes.kind) {
    case 'webhook':
      return webhookSpec(output)
    case 'form':
      return { form: texts(withoutAdded(output)) }
    case 'chat':
      return output.chatInput === undefined ? {} : { body: { chatInput: output.chatInput } }
    case 'mcp':
      return {}
  }
}

/** n8n adds these to the fields of a form. */
const added = ['submittedAt', 'formMode', 'formQueryParameters']
const withoutAdded = (output: object) =>
  Object.fromEntries(Object.entries(output).filter(([name]) => !added.includes(name)))

function webhookSpec(output: object): RequestGiven {
  const { headers = {}, params = {}, query = {}, body } = output as Pinned
  const type = headers['content-type'] ?? ''
  const sent = {
    params,
    query,
    headers: carriedHeaders(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  }
  // n8n shows an empty object if there was no body.
  if (body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0)) return sent
  if (type.startsWith('multipart/')) return { ...sent, form: texts(body), files: {} }
  if (type.startsWith('application/x-www-form-urlencoded') && typeof body === 'object')
    return { ...sent, form: texts(body) }
  return { ...sent, body }
}

const texts = (body: unknown) =>
  Object.fromEntries(
    Object.entries(body as object).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  )
