import { samplePath } from '../outside/answers/files.ts'
import type { FormField, Trigger } from '../../n8n/address.ts'
import type { Exported } from '../../n8n/exported.ts'
import type { RequestGiven } from '../requests/schema.ts'
import { fileKind } from './hints.ts'
import type { NodeItem } from './javascript.ts'
import { sampleFor, sampleOf } from './sample.ts'
import type { Shape } from './shape.ts'

/** A request that the workflow can work with, from what it reads of the trigger. */
export function inferredRequest(trigger: Trigger, { json, binary }: NodeItem, workflow: Exported): RequestGiven {
  switch (trigger.takes.kind) {
    case 'webhook':
      return { webhook: trigger.node, ...webhookRequest(trigger, json, [...binary], workflow) }
    case 'form':
      return { webhook: trigger.node, ...formRequest(trigger.takes.fields, json, workflow, trigger.node) }
    case 'chat':
      return {
        webhook: trigger.node,
        body: { chatInput: 'What does a notebook cost?', ...fieldsOf(json, ['sessionId', 'action', 'chatInput']) },
      }
    case 'mcp':
      return { webhook: trigger.node }
  }
}

/** Headers that the client and n8n write themselves. */
const own =
  /^(host|connection|content-length|content-type|user-agent|accept.*|x-forwarded-.*|x-real-ip|authorization|cf-.*)$/i

function webhookRequest(
  { methods, path, node }: Trigger,
  json: Shape,
  read: string[],
  workflow: Exported,
): RequestGiven {
  const raw = rawBodyOf(node, workflow)
  const binary = read.filter((name) => name !== raw)
  const [body, query, headers, params] = ['body', 'query', 'headers', 'params'].map((name) => json.find(name))
  const named = [...path.matchAll(/(?:^|\/):([^/]+)/g)].map(([, name]) => name!)
  const canSend = methods.some((method) => method !== 'GET' && method !== 'HEAD')
  const sent =
    body || read.length > binary.length ? withoutMade(sampleOf(rooted(body ?? json.field('body')))) : undefined
  const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent)
  return {
    ...(named.length && {
      params: Object.fromEntries(
        named.map((name) => [name, text(params?.find(name) ? sampleOf(params.field(name)) : sampleFor(name))]),
      ),
    }),
    ...(query?.fields.size && { query: texts(query) }),
    ...(headers?.fields.size && {
      headers: Object.fromEntries(Object.entries(texts(headers)).filter(([name]) => !own.test(name))),
    }),
    ...(canSend
      && (binary.length
        ? {
            form: isObject ? Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, text(value)])) : {},
            files: filesOf(binary, workflow),
          }
        : sent !== undefined && { body: sent })),
  }
}

/** The name under which the webhook hands on the bytes of the body; undefined where it does not. */
function rawBodyOf(name: string, { nodes }: Exported): string | undefined {
  const { options } = (nodes.find((node) => node.name === name)?.parameters ?? {}) as {
    options?: { rawBody?: boolean; binaryPropertyName?: string }
  }
  return options?.rawBody ? (options.binaryPropertyName ?? 'data') : undefined
}

/** A body that is read as a whole is an object of the usual fields. */
function rooted(body: Shape): Shape {
  // A field by a name that is known only later says nothing about the others.
  const isList = body.kinds.has('list') || body.element?.isRead
  const isRead = body.fields.size > 0 || body.parsed || isList
  if (isRead || body.values.length || body.parts.length || body.kinds.has('text')) return body
  for (const name of ['id', 'name', 'email', 'message']) body.field(name)
  return body
}

const withoutMade = (value: unknown) => value

function texts(shape: Shape): Record<string, string> {
  return Object.fromEntries(
    [...shape.fields].filter(([, field]) => !field.made).map(([name, field]) => [name, text(sampleOf(field))]),
  )
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Only what is read beside the fields that the trigger sends anyway. */
function fieldsOf(json: Shape, known: string[]): Record<string, unknown> {
  return Object.fromEntries(
    [...json.fields]
      .filter(
        ([name, field]) => !field.made && (!known.includes(name) || field.values.length > 0 || field.parts.length > 0),
      )
      .map(([name, field]) => [name, sampleOf(field)]),
  )
}

const filesOf = (names: string[], workflow: Exported) =>
  Object.fromEntries(
    names.map((name) => [name, { path: samplePath(kindOf(name, workflow)), name: `sample.${kindOf(name, workflow)}` }]),
  )

const kindOf = (name: string, workflow: Exported): string =>
  /image|photo|picture|logo/i.test(name)
    ? 'png'
    : /audio|voice/i.test(name)
      ? 'mp3'
      : fileKind(workflow.nodes.find(({ type }) => /webhook$/i.test(type))?.name ?? '', workflow)

function formRequest(fields: FormField[], json: Shape, workflow: Exported, node: string): RequestGiven {
  const form: Record<string, string> = {}
  const files: NonNullable<RequestGiven['files']> = {}
  for (const { fieldLabel = '', fieldName, fieldType = 'text', acceptFileTypes = '' } of fields) {
    const label = fieldName || fieldLabel
    if (!label) continue
    if (fieldType === 'file') {
      const [, ending] = /\.(\w+)/.exec(acceptFileTypes) ?? []
      const kind = ending ?? fileKind(node, workflow)
      files[label] = { path: samplePath(kind.toLowerCase()), name: `sample.${kind.toLowerCase()}` }
      continue
    }
    const shape = json.find(fieldLabel) ?? json.find(label)
    // A choice has its options, and a number its own sample.
    if (!['text', 'textarea', 'hiddenField', 'email', 'password'].includes(fieldType)) continue
    if (fieldType === 'hiddenField' && !shape) continue
    if (shape) shape.name ||= label
    form[label] = text(shape ? sampleOf(shape.is('text')) : sampleFor(label))
  }
  return { form, ...(Object.keys(files).length && { files }) }
}
