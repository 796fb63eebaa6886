import { byName } from '../../lib/json.ts'
import type { Catalog } from '../../n8n/catalog.ts'
import type { Exported, ExportedNode } from '../../n8n/exported.ts'
import type { Hint } from '../../model/outside.ts'
import type { AllHandedOn } from '../../n8n/execution-data.ts'
import type { As } from '../outside/answers/guess.ts'
import { fitOf } from './fit.ts'
import type { NodeItem } from './javascript.ts'
import { credentialMark } from '../made/credentials.ts'
import type { Reads } from './reads.ts'
import { subNodesOf } from '../../n8n/path.ts'
import type { Shape } from './shape.ts'

/** What the mock needs to know to answer the nodes of a workflow with what the nodes after them read. */
export function hintsOf(workflow: Exported, reads: Reads, catalog: Catalog, executed: AllHandedOn = new Map()): Hint[] {
  const nodes = workflow.nodes.filter(({ disabled }) => !disabled)
  const hints = nodes.flatMap((node) => {
    const { json } = reads.outputOf(node.name)
    const kind = node.type.split('.').at(-1)!
    if (kind === 'httpRequest') return httpHint(node, reads.outputOf(node.name), workflow, reads.urlOf(node.name))
    const text = answerOf(kind, json)
    if (text) return promptHint(node, text, workflow)
    const service = catalog.node(node.type, node.typeVersion)?.displayName.replace(/ (Tool|Vector Store)$/, '')
    if (!service || !Object.keys(node.credentials ?? {}).length) return []
    const fit = node.type.startsWith('n8n-nodes-base.') ? fitOf(json) : null
    const names = namesIn(node.parameters)
    const sought = soughtIn(node.parameters)
    const columns = columnsIn(node.parameters)
    const isSeeking = Object.keys(sought).length > 0
    return [
      {
        node: node.name,
        by: [credentialMark(workflow.id, node.name)],
        service,
        sample: null,
        must: null,
        ...fit,
        ...(names.length && { names }),
        ...(columns.length && { columns }),
        ...(isSeeking && { sought }),
      },
    ]
  })
  // A host that only an expression knows comes last.
  return hints
    .map((hint) => withExecuted(hint, executed, workflow))
    .sort((a, b) => Number(a.host === '*') - Number(b.host === '*'))
}

/** What the node had of its service in an execution that was given goes before all that is inferred. */
function withExecuted(hint: Hint, executed: AllHandedOn, workflow: Exported): Hint {
  const had = executed.get(hint.node)
  if (!had) return hint
  const { type, parameters } = workflow.nodes.find(({ name }) => name === hint.node)!
  const [item] = had.items
  const answer =
    hint.prompt !== undefined
      ? textIn(item)
      : hint.host !== undefined
        ? httpAnswer(had.items, (parameters ?? {}) as HttpParameters)
        : item
  if (answer === undefined) return hint
  const { as: _, ...rest } = hint
  // A model is asked several times for one answer, and a file is not in the data of an execution.
  const isFile = type.endsWith('.httpRequest') && hint.as !== undefined && typeof answer === 'object'
  return { ...(isFile ? hint : rest), sample: answer, must: answer, took: had.took / Math.max(1, had.items.length) }
}

/** The text of a model, at the places where its nodes hand it on. */
function textIn(item: unknown): unknown {
  const given = item as Record<string, any> | null | undefined
  return [
    given?.output,
    given?.text,
    given?.message?.content,
    given?.content?.[0]?.text,
    given?.content?.parts?.[0]?.text,
    given?.content,
  ].find((one) => typeof one === 'string' || isRecord(one))
}

/** A list at the top was handed on as items. */
function httpAnswer(items: unknown[], { options }: HttpParameters): unknown {
  const response = options?.response?.response
  const bodies = items.map((item) => (response?.fullResponse || options?.fullResponse ? recordOf(item).body : item))
  const body = bodies.length === 1 ? bodies[0] : bodies
  const property = response?.outputPropertyName ?? 'data'
  const text = recordOf(body)[property]
  return isRecord(body) && Object.keys(body).length === 1 && typeof text === 'string' ? text : body
}

/** The documents, sheets and indexes that a node names, which the service then has. */
const namesIn = (parameters: Record<string, unknown> = {}): { id: string; name: string }[] =>
  Object.values(parameters).flatMap((given) => {
    if (typeof given !== 'object' || given === null || !('__rl' in given)) return []
    const { value, cachedResultName } = given as { value?: unknown; cachedResultName?: string }
    const id = String(value ?? '')
    return id && !id.startsWith('=') ? [{ id, name: cachedResultName || id }] : []
  })

/** The columns that a node writes, and those that it has seen when it was set up. */
function columnsIn({ columns, fieldsUi }: Record<string, unknown> = {}): string[] {
  const { value, schema } = recordOf(columns)
  const seen = listOf(schema).flatMap(({ id, removed }) => (typeof id === 'string' && removed !== true ? [id] : []))
  const old = listOf(recordOf(fieldsUi).fieldValues ?? recordOf(fieldsUi).values).flatMap(
    ({ fieldId, fieldName, columnName }) => [fieldId, fieldName, columnName].filter((one) => typeof one === 'string'),
  )
  return [...new Set([...Object.keys(recordOf(value)), ...seen, ...old])].filter((name) => !name.startsWith('='))
}

/** A collection of a node holds one entry, or a list of them. */
const listOf = (given: unknown): Record<string, unknown>[] => [given].flat().filter(isRecord)
const recordOf = (given: unknown): Record<string, unknown> => (isRecord(given) ? given : {})
const isRecord = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

/** The columns by which a node looks for rows, with the value where it is a constant. */
function soughtIn({ filtersUI, columns, columnToMatchOn }: Record<string, unknown> = {}): Record<string, unknown> {
  const matched = [recordOf(columns).matchingColumns ?? [], columnToMatchOn ?? []].flat(2)
  const named = [
    ...matched.flatMap((column) => (typeof column === 'string' ? [[column, null] as const] : [])),
    ...listOf(recordOf(filtersUI).values).map(
      ({ lookupColumn, lookupValue }) => [String(lookupColumn ?? ''), lookupValue ?? null] as const,
    ),
  ]
  const isExpression = (value: unknown) => typeof value === 'string' && value.startsWith('=')
  return Object.fromEntries(
    named.flatMap(([column, value]) =>
      column && !isExpression(column) ? [[column, isExpression(value) ? null : value]] : [],
    ),
  )
}

/** The text of a model in the output of a node; null for other nodes. */
function answerOf(kind: string, json: Shape): Shape | null {
  const first = (...paths: string[]) =>
    paths.map((path) => json.at(path)).find((shape) => shape.isRead || shape.parts.length || shape.values.length)
    ?? null
  switch (kind) {
    case 'agent':
      return json.find('output') ?? json.find('text')
    case 'chainLlm':
      return first('text', 'output', 'response.text')
    case 'openAi':
      return first('message.content', 'output[0].content[0].text', 'content', 'text')
    case 'anthropic':
      return first('content[0].text', 'content')
    case 'googleGemini':
      return first('content.parts[0].text', 'mergedResponse')
    default:
      return null
  }
}

function promptHint({ name, parameters }: ExportedNode, text: Shape, workflow: Exported): Hint[] {
  const fit = fitOf(text.parsed ?? text)
  if (!fit) return []
  const own = [...longTexts(parameters)]
  const sub = subNodesOf(name, workflow).flatMap((one) => [
    ...longTexts(workflow.nodes.find((node) => node.name === one)?.parameters),
  ])
  const [prompt] = [...own, ...sub].sort((a, b) => b.length - a.length)
  const by = [name, ...subNodesOf(name, workflow)].map((one) => credentialMark(workflow.id, one))
  return prompt === undefined ? [] : [{ node: name, by, prompt, ...fit }]
}

/** The parts of a text that are no expression, as they will be in the prompt. */
function* longTexts(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    for (const part of value.replace(/^=/, '').split(/\{\{[\s\S]*?\}\}/))
      if (part.trim().length >= 8) yield part.trim().slice(0, 300)
  } else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) yield* longTexts(one)
}

function httpHint(
  node: ExportedNode,
  { json, binary }: NodeItem,
  workflow: Exported,
  address: string | undefined,
): Hint[] {
  const { url, method, requestMethod, options } = (node.parameters ?? {}) as HttpParameters
  const where = addressOf(address ?? url)
  const response = options?.response?.response
  const root = response?.fullResponse || options?.fullResponse ? json.field('body') : json
  const property = response?.outputPropertyName ?? 'data'
  const data = root.find(property)
  const isText = data !== null && !data.isRead && root.fields.size === 1
  const format = response?.responseFormat
  const as =
    followerOf(node.name, workflow)
    ?? (format === 'file' || (binary.size > 0 && !root.isRead)
      ? fileKind(node.name, workflow)
      : format === 'text'
        ? textKind(data)
        : isText && data.kinds.has('text')
          ? 'html'
          : null)
  const fit = fitOf(root) ?? { sample: null, must: null }
  // A list at the top is handed on as items.
  return [
    {
      node: node.name,
      by: [credentialMark(workflow.id, node.name)],
      ...where,
      method:
        typeof (method ?? requestMethod) === 'string' && !String(method ?? requestMethod).startsWith('=')
          ? String(method ?? requestMethod)
          : 'GET',
      ...(as && { as }),
      ...fit,
    },
  ]
}

interface HttpParameters {
  url?: unknown
  method?: string
  requestMethod?: string
  options?: {
    fullResponse?: boolean
    response?: { response?: { fullResponse?: boolean; responseFormat?: string; outputPropertyName?: string } }
  }
}

/** As patterns; an expression stands for any text. */
function addressOf(url: unknown): { host: string; path: string } {
  const text = String(url ?? '')
    .replace(/^=/, '')
    .replace(/\{\{[\s\S]*?\}\}/g, '*')
    .trim()
  const [, host = '*', rest = ''] = /^(?:https?:\/\/)?([^/?#]*)([^?#]*)/.exec(text) ?? []
  const given = host === '' || !/[a-z0-9]/i.test(host) ? '*' : host.toLowerCase()
  return { host: given, path: given === '*' && !rest ? '*' : rest || '/' }
}

/** What the next node makes of the answer. */
function followerOf(name: string, { nodes, connections }: Exported): As | null {
  const next = ((connections[name] as { main?: ({ node: string }[] | null)[] } | undefined)?.main ?? [])
    .flat()
    .flatMap((end) => nodes.find((node) => node.name === end?.node && !node.disabled) ?? [])
  for (const { type, parameters = {} } of next) {
    const kind = type.split('.').at(-1)!
    if (kind === 'html' && parameters.operation === 'extractHtmlContent')
      return parameters.sourceData === 'binary' ? 'html' : onlyOf(parameters.dataPropertyName)
    if (kind === 'htmlExtract') return 'html'
    if (kind === 'markdown' && (parameters.mode ?? 'htmlToMarkdown') === 'htmlToMarkdown') return 'html'
    if (kind === 'xml' && (parameters.mode ?? 'xmlToJson') === 'xmlToJson') return 'xml'
  }
  return null
}

/** A page, unless the field that is read of it is within JSON. */
const onlyOf = (property: unknown): As | null => (property === undefined || property === 'data' ? 'html' : null)

const textKind = (data: Shape | null): As => (data?.parsed ? 'json' : data?.kinds.has('list') ? 'csv' : 'html')

const kinds: Record<string, As> = byName({
  csv: 'csv',
  pdf: 'pdf',
  xlsx: 'xlsx',
  xls: 'xlsx',
  html: 'html',
  text: 'txt',
  fromJson: 'json',
  xml: 'xml',
})

/** The kind of the file that a node after it takes apart; a document where none does. */
export function fileKind(name: string, { nodes, connections }: Exported): As {
  const seen = new Set([name])
  for (const one of seen) {
    const node = nodes.find((other) => other.name === one)
    const operation = String(node?.parameters?.operation ?? '')
    const kind = node?.type.split('.').at(-1)
    if (kind === 'extractFromFile') return kinds[operation || 'csv'] ?? 'txt'
    if (kind === 'editImage') return 'png'
    if (kind === 'spreadsheetFile') return 'xlsx'
    if (/transcribe|translate/i.test(operation)) return 'mp3'
    if (/^analyze$|vision|sendPhoto/i.test(operation)) return 'png'
    if (showsImages(node?.parameters)) return 'png'
    for (const ends of (connections[one] as { main?: ({ node: string }[] | null)[] } | undefined)?.main ?? [])
      for (const end of ends ?? []) seen.add(end.node)
  }
  return 'pdf'
}

/** A chain or an agent that hands images to its model. */
function showsImages({ messages, options }: Record<string, unknown> = {}): boolean {
  const given = listOf(recordOf(messages).messageValues)
  return (
    given.some(({ messageType }) => messageType === 'imageBinary') || recordOf(options).passthroughBinaryImages === true
  )
}
