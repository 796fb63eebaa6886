import { byName, listIn } from '../../lib/json.ts'
import type { Exported, ExportedNode } from '../../n8n/exported.ts'
import { conditionsOf, typesOf, type Condition } from './conditions.ts'
import { readCode, readExpression, type NodeItem, type KnownValue, type Sight } from './javascript.ts'
import { branchOf, mainPathOf, reachedFrom, subNodesOf } from '../../n8n/path.ts'
import { Shape, type ShapeKind } from './shape.ts'

/** What the nodes of a workflow read of each other's output. */
export interface Reads {
  /** The output of a node, as the nodes after it read it. */
  outputOf(node: string): NodeItem
  /** Where an HTTP Request node asks, with `*` for what cannot be told. */
  urlOf(node: string): string | undefined
  /** Variables of n8n (`$vars.X`) and of its environment (`$env.X`). */
  variables: string[]
}

/** Nodes that hand on the items as they come. */
export const passesItems = ({ type }: Pick<ExportedNode, 'type'>): boolean => passing.has(type.split('.').at(-1)!)
const passing = new Set(
  `if switch filter noOp wait limit sort removeDuplicates merge splitInBatches respondToWebhook executionData
  stopAndError compareDatasets`.split(/\s+/),
)
const splitting = new Set(['splitOut', 'itemLists'])

export function readsOf(
  workflow: Exported,
  starts: string[],
  parametersOf: (node: ExportedNode) => Record<string, unknown> = ({ parameters = {} }) => parameters,
): Reads {
  const outputs = new Map<string, NodeItem>()
  const variables = new Set<string>()
  const urls = new Map<string, string>()
  const names = new Map(workflow.nodes.map((node) => [node.name, node]))
  const before = predecessorsOf(workflow)
  const main = new Set(mainPathOf(workflow, starts).nodes)
  const order = [...reachedFrom(workflow, starts)]
  const outputOf = (name: string): NodeItem => {
    const known = outputs.get(name) ?? { json: new Shape(), binary: new Set<string>() }
    outputs.set(name, known)
    return known
  }

  /** What leads back from a loop comes after what leads into it; what only another trigger leads to has no part. */
  const into = (name: string): NodeItem[] =>
    (before.get(name) ?? [])
      .filter((one) => order.includes(one))
      .toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
      .map(outputOf)

  function visit(node: ExportedNode): void {
    const type = node.type.split('.').at(-1)!
    const [first, ...others] = into(node.name)
    const input: NodeItem = first ?? outputOf(node.name)
    const sight: Sight = {
      input,
      node: (name) => (names.has(name) ? outputOf(name) : null),
      variable: (kind, name) => void variables.add(`${kind}.${name}`),
    }
    const { parameters = {} } = node
    const decides = type === 'if' || type === 'filter' || type === 'switch'
    const returned = readNode(type, parameters, decides || !main.has(node.name) ? { ...sight, quiet: true } : sight)
    for (const name of filesReadBy(type, parametersOf(node))) input.binary.add(name)
    if (type === 'httpRequest') urls.set(node.name, addressIn(parameters.url, node.name, sight))
    for (const { value, type: wanted } of mappedIn(parameters)) {
      const known = knownOf(value, { ...sight, quiet: true })
      if (known?.is === 'shape' && wanted in kindsOfConditions && wanted !== 'string')
        known.shape.is(kindsOfConditions[wanted]!)
    }
    if (decides)
      for (const { left, type: wanted } of typesOf(parameters)) {
        const known = knownOf(left, { ...sight, quiet: true })
        if (known?.is === 'shape' && wanted in kindsOfConditions) known.shape.is(kindsOfConditions[wanted]!)
      }
    // A branch that is not taken has no say in what is sent.
    if (main.has(node.name))
      for (const condition of conditionsOf(type, parameters, branchOf(node, workflow))) meet(condition, sight)
    if (node.disabled || passing.has(type)) {
      const among = others.filter(({ json }) => json !== input.json)
      // What is read of several is read of the first that has it, and asked of the first.
      const json = among.length ? madeRoot() : input.json
      if (among.length) json.rest.push(input.json, ...among.map((other) => other.json))
      hand(node.name, { json, binary: input.binary })
      return
    }
    const made = madeBy(type, parameters, sight, returned)
    if (made) hand(node.name, made)
  }

  /** A node that was referred to before it was reached keeps what was read of it. */
  function hand(name: string, item: NodeItem): void {
    const known = outputs.get(name)
    if (!known) outputs.set(name, item)
    else if (known.json !== item.json && !known.json.rest.includes(item.json)) known.json.rest.push(item.json)
  }

  for (const name of order) {
    const node = names.get(name)
    if (!node) continue
    if (starts.includes(name)) outputOf(name)
    else visit(node)
    // Tools and parsers read the items of the node that they belong to, and so do theirs.
    const [input] = into(name)
    for (const sub of allSubNodesOf(name, workflow)) {
      const own = names.get(sub)
      if (own && input && !own.disabled)
        readNode(own.type.split('.').at(-1)!, own.parameters ?? {}, {
          input,
          node: (one) => (names.has(one) ? outputOf(one) : null),
        })
    }
  }
  return { outputOf, urlOf: (name) => urls.get(name), variables: [...variables] }
}

/** All expressions of a node's parameters, and its code; what its code hands on. */
function readNode(type: string, parameters: Record<string, unknown>, sight: Sight): KnownValue {
  const isCode = type === 'code' || type === 'function' || type === 'functionItem'
  const code = parameters.jsCode ?? parameters.functionCode
  if (isCode && typeof code === 'string') {
    // In the oldest kind, `item` is the JSON itself.
    const own =
      type === 'functionItem' ? `const { json } = $input.first(); return (function (item) {${code}\n})(json)` : code
    return readCode(own, sight)
  }
  for (const text of textsIn(parameters)) expressionsIn(text).forEach((one) => readExpression(one, sight))
  return null
}

/** The address of a node. One that the workflow reads from elsewhere becomes an address of its own. */
function addressIn(url: unknown, name: string, sight: Sight): string {
  const text = String(url ?? '')
  if (!text.startsWith('=')) return text
  const whole = knownOf(text, sight)
  if (whole?.is === 'shape' && whole.shape.constant === undefined) {
    const shape = whole.shape.is('url')
    const known = shape.values.find((value) => typeof value === 'string' && /^https?:/.test(value))
    if (known !== undefined) return String(known)
    const made = `https://www.example.com/${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
    if (shape.made || shape.values.length) return '*'
    shape.values.push(made)
    return `${made}*`
  }
  return text.slice(1).replace(/\{\{([\s\S]*?)\}\}/g, (_, code: string) => {
    const known = readExpression(code, { ...sight, quiet: true })
    const value = known?.is === 'shape' ? known.shape.constant : known?.is === 'constant' ? known.value : undefined
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '*'
  })
}

/** The names under which a node looks for files. */
function filesReadBy(type: string, parameters: Record<string, unknown>): string[] {
  const names = fileParameters.map((name) => parameters[name])
  const isRead = {
    extractFromFile: true,
    readPDF: true,
    compression: parameters.operation === 'decompress',
    moveBinaryData: (parameters.mode ?? 'binaryToJson') === 'binaryToJson',
    spreadsheetFile: (parameters.operation ?? 'fromFile') === 'fromFile',
    editImage: parameters.operation !== 'create',
    httpRequest: parameters.contentType === 'binaryData' || parameters.contentType === 'multipart-form-data',
    openAi:
      parameters.inputType === 'base64'
      || /transcribe|translate/.test(String(parameters.operation))
      || parameters.operation === 'edit',
    googleDrive: parameters.operation === 'upload',
    s3: parameters.operation === 'upload' && parameters.binaryData !== false,
    awsS3: parameters.operation === 'upload' && parameters.binaryData !== false,
  }[type]
  if (isRead === false || (isRead === undefined && parameters.binaryData !== true)) return []
  if (type === 'httpRequest' && parameters.contentType === 'multipart-form-data') {
    const parts = (
      parameters.bodyParameters as
        { parameters?: { parameterType?: string; inputDataFieldName?: unknown }[] } | undefined
    )?.parameters
    return listIn(parts).flatMap(({ parameterType, inputDataFieldName: name }) =>
      parameterType === 'formBinaryData' ? [String(name ?? 'data')] : [],
    )
  }
  if (type === 'moveBinaryData') return [String(parameters.sourceKey ?? 'data')]
  const given = names.filter((name): name is string => typeof name === 'string' && name !== '' && !name.startsWith('='))
  return given.length ? given.slice(0, 1) : ['data']
}

const fileParameters = ['binaryPropertyName', 'dataPropertyName', 'inputDataFieldName', 'binaryPropertyNameImage']

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    if (value.startsWith('=')) yield value.slice(1)
  } else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) yield* textsIn(one)
}

export const expressionsIn = (text: string): string[] =>
  [...text.matchAll(/\{\{([\s\S]*?)\}\}/g)].map(([, code]) => code!)

/** The value of a parameter that is one expression, else the constant that it is. */
export function knownOf(value: unknown, sight: Sight): KnownValue {
  if (typeof value !== 'string' || !value.startsWith('=')) return { is: 'constant', value }
  if (!value.includes('{{')) return { is: 'constant', value: value.slice(1) }
  const [, whole] = /^=\s*\{\{([\s\S]*)\}\}\s*$/.exec(value) ?? []
  if (whole !== undefined && !whole.includes('{{')) return readExpression(whole, sight)
  return null
}

/** What a node hands on, where it makes it of what it gets; null where it comes from elsewhere, such as a service. */
function madeBy(
  type: string,
  parameters: Record<string, unknown>,
  sight: Sight,
  returned: KnownValue,
): NodeItem | null {
  const { input } = sight
  if (type === 'code' || type === 'function' || type === 'functionItem') {
    if (returned?.is === 'items' || returned?.is === 'item') return returned.item
    if (returned?.is === 'shape') return { json: returned.shape.element ?? returned.shape, binary: input.binary }
    return { json: madeRoot(), binary: input.binary }
  }
  if (type === 'crypto') {
    const json = madeRoot()
    json.fields.set(String(parameters.dataPropertyName ?? 'data'), madeRoot())
    json.rest.push(input.json)
    return { json, binary: input.binary }
  }
  if (type === 'set') return { json: assigned(parameters, sight), binary: input.binary }
  if (splitting.has(type)) {
    const [field = ''] = String(parameters.fieldToSplitOut ?? '')
      .split(',')
      .map((one) => one.trim())
    if (!field || field.startsWith('=')) return null
    const element = input.json.at(field).is('list').item()
    const json = madeRoot()
    json.rest.push(element)
    // An element that is no object gets the name of its list.
    json.fields.set(field.split('.').at(-1)!, element)
    return { json, binary: new Set() }
  }
  if (type === 'aggregate') {
    const json = madeRoot()
    if (parameters.aggregate === 'aggregateAllItemData') {
      const list = new Shape()
      list.made = true
      list.element = input.json
      json.fields.set(String(parameters.destinationFieldName ?? 'data'), list)
      return { json, binary: input.binary }
    }
    const { fieldToAggregate = [] } = (parameters.fieldsToAggregate ?? {}) as { fieldToAggregate?: AggregatedField[] }
    for (const { fieldToAggregate: field, renameField, outputFieldName } of listIn(fieldToAggregate)) {
      if (typeof field !== 'string' || !field) continue
      const list = new Shape()
      list.made = true
      list.element = input.json.at(field)
      json.fields.set(String((renameField && outputFieldName) || field.split('.').at(-1)), list)
    }
    return { json, binary: input.binary }
  }
  return null
}

interface AggregatedField {
  fieldToAggregate?: string
  renameField?: boolean
  outputFieldName?: string
}

/** The output of a Set node, in each of its forms. */
function assigned(parameters: Record<string, unknown>, sight: Sight): Shape {
  const json = madeRoot()
  const { assignments, values, fields, includeOtherFields, keepOnlySet, include, mode, jsonOutput } =
    parameters as SetParameters
  const given = [
    ...listIn(assignments?.assignments).map(({ name, value, type }) => [name, value, type] as const),
    ...Object.values(values ?? {}).flatMap((all) => listIn(all).map(({ name, value }) => [name, value] as const)),
    ...listIn(fields?.values).map(
      ({ name, stringValue, numberValue, booleanValue, arrayValue, objectValue }) =>
        [name, stringValue ?? numberValue ?? booleanValue ?? arrayValue ?? objectValue] as const,
    ),
  ]
  for (const [named, value, type] of given) {
    // An expression without braces is the text that it is.
    const name = typeof named !== 'string' || named.includes('{{') ? '' : named.replace(/^=/, '')
    if (!name) continue
    const known = knownOf(value, sight)
    if (known?.is === 'shape' && type !== undefined && type in kindsOfTypes) known.shape.is(kindsOfTypes[type]!)
    place(
      json,
      name,
      known?.is === 'shape' ? known.shape : madeRoot(known?.is === 'constant' ? known.value : undefined),
    )
  }
  if (mode === 'raw' && typeof jsonOutput === 'string') {
    // One expression is the item as it is; else each field may be one.
    const whole = knownOf(jsonOutput, sight)
    if (whole?.is === 'shape') json.rest.push(whole.shape)
    for (const [, name, code] of jsonOutput.matchAll(/"([^"\n]{1,60})"\s*:\s*(?:"?\{\{([\s\S]*?)\}\})?/g)) {
      const known = code === undefined ? null : readExpression(code, { ...sight, quiet: true })
      json.fields.set(name!, known?.is === 'shape' ? known.shape : madeRoot())
    }
  }
  const keeps = assignments ? includeOtherFields === true : fields ? include !== 'none' : keepOnlySet !== true
  if (keeps && mode !== 'raw') json.rest.push(sight.input.json)
  return json
}

/** The columns and inputs that a node fills, each with the type that it says it has. */
function mappedIn(parameters: Record<string, unknown>): { value: unknown; type: string }[] {
  return Object.values(parameters).flatMap((given) => {
    if (typeof given !== 'object' || given === null || !('mappingMode' in given)) return []
    const { value, schema } = given as { value?: Record<string, unknown> | null; schema?: unknown }
    return (Array.isArray(schema) ? (schema as { id?: string; type?: string }[]) : []).flatMap(({ id = '', type }) =>
      type !== undefined && value?.[id] !== undefined ? [{ value: value[id], type }] : [],
    )
  })
}

const kindsOfConditions: Record<string, ShapeKind> = byName({
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
  dateTime: 'date',
})
const kindsOfTypes: Record<string, ShapeKind> = byName({
  number: 'number',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
})

interface SetParameters {
  mode?: string
  jsonOutput?: string
  includeOtherFields?: boolean
  keepOnlySet?: boolean
  include?: string
  assignments?: { assignments?: { name?: string; value?: unknown; type?: string }[] }
  values?: Record<string, { name?: string; value?: unknown }[]>
  fields?: { values?: ({ name?: string } & Record<`${string}Value`, unknown>)[] }
}

function place(json: Shape, path: string, value: Shape): void {
  const parts = path.split('.')
  let at = json
  for (const part of parts.slice(0, -1)) {
    const next = at.fields.get(part) ?? madeRoot()
    at.fields.set(part, next)
    at = next
  }
  at.fields.set(parts.at(-1)!, value)
}

const madeRoot = (constant?: unknown): Shape => {
  const shape = new Shape()
  shape.constant = constant
  shape.made = true
  return shape
}

/** Notes what makes the condition come out as the main branch needs it. */
function meet({ left, operation, right, holds }: Condition, sight: Sight): void {
  const known = knownOf(left, sight)
  if (known?.is !== 'shape') {
    // A condition that is an expression of its own has to come out true, or false.
    const isFalse = operation === 'false' || (/^equals?$/.test(operation) && String(right) === 'false')
    const isTrue = operation === 'true' || (/^equals?$/.test(operation) && String(right) === 'true')
    if (isTrue || isFalse)
      for (const code of expressionsIn(String(left))) readExpression(code, { ...sight, flips: isTrue !== holds })
    return
  }
  const { shape } = known
  const other = knownOf(right, sight)
  const value = other?.is === 'constant' ? other.value : undefined
  const told = value !== undefined && value !== '' && value !== null
  const positive = holds === !/^(not|doesNot|isNot|lt|smaller|before|empty|false)/i.test(operation)
  switch (operation.replace(/^(not|doesNot|isNot)(?=[A-Z])/, '').toLowerCase()) {
    case 'equals':
    case 'equal':
      if (positive && told) shape.values.unshift(value)
      return
    case 'contains':
      if (positive && told) shape.parts.push(String(value))
      return
    case 'startswith':
      if (positive && told) shape.starts = String(value)
      return
    case 'endswith':
      if (positive && told) shape.ends = String(value)
      return
    case 'exists':
    case 'empty':
    case 'notempty': {
      const present = operation === 'empty' || operation === 'isEmpty' || operation === 'notExists' ? !holds : holds
      if (!present) shape.empty = true
      return
    }
    case 'true':
    case 'false':
      shape.values.unshift((operation === 'true') === holds)
      return
    case 'larger':
    case 'largerequal':
    case 'gt':
    case 'gte':
      if (Number.isFinite(Number(value))) shape[holds ? 'above' : 'below'] = Number(value)
      return
    case 'smaller':
    case 'smallerequal':
    case 'lt':
    case 'lte':
      if (Number.isFinite(Number(value))) shape[holds ? 'below' : 'above'] = Number(value)
      return
  }
}

type Ends = ({ node: string }[] | null)[]

function predecessorsOf({ connections }: Exported): Map<string, string[]> {
  const before = new Map<string, string[]>()
  for (const [from, kinds] of Object.entries(connections))
    for (const ends of (kinds as { main?: Ends }).main ?? [])
      for (const end of ends ?? []) before.set(end.node, [...(before.get(end.node) ?? []), from])
  return before
}

function allSubNodesOf(name: string, workflow: Exported, known = new Set<string>()): Set<string> {
  for (const sub of subNodesOf(name, workflow)) if (!known.has(sub)) allSubNodesOf(sub, workflow, known.add(sub))
  return known
}
