import { badRequest, type RequestSpec } from './schema.ts'
import type { Opening } from '../../../scenarios/request.ts'
import type { FormField, Trigger } from '../../n8n/address.ts'
import { jsonText } from './body.ts'

/** A request as the node takes it: users write what a form, a chat or a tool gets, not how it is sent. */
export function shaped(spec: RequestSpec, trigger: Trigger, where: string): RequestSpec {
  switch (trigger.takes.kind) {
    case 'webhook':
      return spec
    case 'form':
      if (spec.body !== undefined || spec.file !== undefined) throw misshaped(trigger, 'form and files', where)
      return filledIn(spec, trigger.takes.fields)
    case 'chat':
      return {
        ...spec,
        body: { action: 'sendMessage', sessionId: '{{uuid}}', chatInput: 'Hello', ...bodyOf(spec, trigger, where) },
      }
    case 'mcp': {
      const params = { name: trigger.takes.tool, arguments: {}, ...bodyOf(spec, trigger, where) }
      return {
        ...spec,
        headers: { accept: mcpAnswers, ...spec.headers },
        body: { jsonrpc: '2.0', id: '{{counter}}', method: 'tools/call', params },
      }
    }
  }
}

const mcpAnswers = 'application/json, text/event-stream'

/** What a client sends first: a server of tools gives it a session, which later requests have to name. */
export const openingOf = ({ takes }: Trigger): Opening | null =>
  takes.kind === 'mcp'
    ? {
        body: jsonText({
          jsonrpc: '2.0',
          id: 0,
          method: 'initialize',
          params: {
            protocolVersion: '2025-03-26',
            capabilities: {},
            clientInfo: { name: 'n8n-tuned', version: '1' },
          },
        }),
        session: 'mcp-session-id',
      }
    : null

function bodyOf({ body = {}, form, file, files }: RequestSpec, trigger: Trigger, where: string): object {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (!isObject || form || file || files) throw misshaped(trigger, 'a body that is an object', where)
  return body as object
}

const misshaped = ({ node, takes }: Trigger, expected: string, where: string) =>
  badRequest(where, `Expected ${expected} in a request to the ${takes.kind} "${node}", got something else.`)

/** Fields by their labels become what a browser sends; a field that is left out gets a sample. */
function filledIn({ form = {}, files = {}, ...spec }: RequestSpec, fields: FormField[]): RequestSpec {
  const places = fields.map((field, index) => ({ field, place: `field-${index}` }))
  const placeOf = (name: string) =>
    places.find(({ field }) => field.fieldLabel === name || field.fieldName === name)?.place ?? name
  const placed = <T>(given: Record<string, T>) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [placeOf(name), value]))
  const samples = Object.fromEntries(
    places.flatMap(({ field, place }) => {
      const sample = sampleOf(field)
      return sample === null ? [] : [[place, sample]]
    }),
  )
  return { ...spec, form: { ...samples, ...placed(form) }, files: placed(files) }
}

/** Null for fields that a form can go without. */
function sampleOf({ fieldType, fieldValue, fieldOptions, multiselect }: FormField): string | null {
  const [first] = fieldOptions?.values ?? []
  const list = multiselect || fieldType === 'checkbox' || fieldType === 'radio'
  switch (fieldType) {
    case 'file':
    case 'html':
      return null
    case 'hiddenField':
      return fieldValue ?? ''
    case 'number':
      return '1'
    case 'date':
      return '2026-01-31'
    case 'email':
      return 'someone@example.com'
    case 'dropdown':
    case 'checkbox':
    case 'radio':
      if (!first) return null
      return list ? JSON.stringify([first.option]) : first.option
    default:
      return 'text'
  }
}
