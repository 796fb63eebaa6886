import { parse, type AnyNode, type Function as JsFunction, type Pattern, type Program } from 'acorn'
import { Shape } from './shape.ts'

/** An item as nodes hand it on. */
export interface NodeItem {
  json: Shape
  /** Names of the files that are read of it. */
  binary: Set<string>
}

/** What an expression or code can see. */
export interface Sight {
  input: NodeItem
  /** The output of the node with that name; null if there is none. */
  node(name: string): NodeItem | null
  /** The condition that is read has to come out false. */
  flips?: boolean
  /** Comparisons say nothing about how it has to come out. */
  quiet?: boolean
  /** Receives the name of a variable of n8n or of its environment. */
  variable?: (kind: '$vars' | '$env', name: string) => void
}

/** What a part of the code stands for, as far as it can be told without running it. */
export type KnownValue =
  | { is: 'shape'; shape: Shape }
  | { is: 'item'; item: NodeItem }
  | { is: 'items'; item: NodeItem }
  | { is: 'binary'; item: NodeItem }
  | { is: 'constant'; value: unknown }
  | { is: 'function'; code: JsFunction; env: Env }
  | { is: 'variables'; kind: '$vars' | '$env' }
  | null

type Env = Map<string, KnownValue>

const parsing = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
} as const

/** Notes on the shapes what the code reads. Returns what it hands on; null where that cannot be told. */
export function readCode(code: string, sight: Sight): KnownValue {
  const program = parsed(code)
  if (!program) return null
  const reader = new Reader(sight)
  const env: Env = new Map()
  for (const statement of program.body) reader.run(statement, env)
  return reader.returned
}

/** The same of one expression, without its braces. */
export function readExpression(code: string, sight: Sight): KnownValue {
  const program = parsed(`(${code}\n)`) ?? parsed(code)
  if (!program) return null
  const reader = new Reader(sight)
  const env: Env = new Map()
  let last: KnownValue = null
  for (const statement of program.body)
    last =
      statement.type === 'ExpressionStatement'
        ? reader.of(statement.expression, env)
        : (reader.run(statement, env), null)
  return last
}

/** Null for code that is not JavaScript, which n8n will refuse. */
function parsed(code: string): Program | null {
  try {
    return parse(code, parsing)
  } catch {
    return null
  }
}

const textMethods = new Set(
  `toLowerCase toUpperCase trim trimStart trimEnd split replace replaceAll startsWith endsWith substring substr match
  matchAll charAt charCodeAt padStart padEnd normalize localeCompare codePointAt toTitleCase toSentenceCase removeTags
  extractEmail extractDomain extractUrl urlEncode urlDecode hash base64Encode base64Decode isEmail isUrl quote
  removeMarkdown toSnakeCase`.split(/\s+/),
)
const listMethods = new Set(
  `map filter forEach reduce reduceRight find findIndex findLast some every join flatMap flat push unshift pop shift
  sort reverse splice toSorted toReversed entries pluck first last chunk sum average max min unique
  removeDuplicates merge difference intersection union compact smartJoin randomItem`.split(/\s+/),
)
/** Methods that hand on the list, or part of it. */
const sameList = new Set(
  `filter slice sort reverse toSorted toReversed splice concat flat unique removeDuplicates compact`.split(/\s+/),
)
const withCallback = new Set('map filter forEach find findIndex findLast some every flatMap sort toSorted'.split(' '))
const dateMethods = new Set(
  `toDateTime plus minus startOf endOf diff diffTo toFormat format beginningOf endOfMonth isWeekend extract
  toISO isBetween`.split(/\s+/),
)

class Reader {
  readonly #sight: Sight
  returned: KnownValue = null
  #depth = 0
  /** The condition that is read has to come out false. */
  #flipped = false
  /** What is read decides between two values, and either will do. */
  #chooses = false

  constructor(sight: Sight) {
    this.#sight = sight
    this.#flipped = sight.flips ?? false
  }

  run(node: AnyNode | null | undefined, env: Env): void {
    if (!node) return
    switch (node.type) {
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations) this.bind(id, init ? this.of(init, env) : null, env)
        return
      case 'FunctionDeclaration':
        if (node.id) env.set(node.id.name, { is: 'function', code: node, env })
        // Read once without arguments, in case it is never called where that can be seen.
        return
      case 'ExpressionStatement':
        this.of(node.expression, env)
        return
      case 'ReturnStatement':
        if (node.argument) this.returned = this.of(node.argument, env) ?? this.returned
        return
      case 'IfStatement':
        // A guard that throws is to be passed.
        this.#flipped = throws(node.consequent)
        this.of(node.test, env)
        this.#flipped = false
        this.run(node.consequent, env)
        this.run(node.alternate, env)
        return
      case 'BlockStatement':
        for (const one of node.body) if (one.type === 'FunctionDeclaration') this.run(one, env)
        for (const one of node.body) if (one.type !== 'FunctionDeclaration') this.run(one, env)
        return
      case 'ForOfStatement': {
        const element = this.elementOf(this.of(node.right, env))
        if (node.left.type === 'VariableDeclaration') this.bind(node.left.declarations[0]!.id, element, env)
        this.run(node.body, env)
        return
      }
      case 'ForInStatement': {
        const over = this.of(node.right, env)
        if (over?.is === 'binary' && over.item.binary.size === 0) over.item.binary.add('attachment_0')
        this.run(node.body, env)
        return
      }
      case 'ForStatement':
        if (node.init?.type === 'VariableDeclaration') this.run(node.init, env)
        if (node.test) this.of(node.test, env)
        this.run(node.body, env)
        return
      case 'WhileStatement':
      case 'DoWhileStatement':
        this.of(node.test, env)
        this.run(node.body, env)
        return
      case 'SwitchStatement': {
        const asked = this.of(node.discriminant, env)
        for (const { test, consequent } of node.cases) {
          const given = test ? this.of(test, env) : null
          compare(asked, given, '===', false)
          for (const one of consequent) this.run(one, env)
        }
        return
      }
      case 'TryStatement':
        this.run(node.block, env)
        this.run(node.handler?.body, env)
        this.run(node.finalizer, env)
        return
      case 'LabeledStatement':
        this.run(node.body, env)
        return
      case 'ThrowStatement':
        this.of(node.argument, env)
        return
    }
  }

  of(node: AnyNode | null | undefined, env: Env): KnownValue {
    if (!node || this.#depth > 200) return null
    this.#depth++
    try {
      return this.#of(node, env)
    } finally {
      this.#depth--
    }
  }

  #of(node: AnyNode, env: Env): KnownValue {
    switch (node.type) {
      case 'Literal':
        return { is: 'constant', value: node.value }
      case 'Identifier':
        return env.has(node.name) ? env.get(node.name)! : this.global(node.name)
      case 'ParenthesizedExpression':
        return this.of(node.expression, env)
      case 'ChainExpression':
        return this.of(node.expression, env)
      case 'AwaitExpression':
      case 'SpreadElement':
        return this.of(node.argument, env)
      case 'MemberExpression':
        return this.member(node, env)
      case 'CallExpression':
        return this.call(node, env)
      case 'NewExpression': {
        const [first] = node.arguments.map((one) => this.of(one, env))
        if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && first?.is === 'shape')
          first.shape.is('date')
        if (node.callee.type === 'Identifier' && node.callee.name === 'URL' && first?.is === 'shape')
          first.shape.is('url')
        return null
      }
      case 'LogicalExpression': {
        const left = this.of(node.left, env)
        const right = this.of(node.right, env)
        if (node.operator !== '&&') hint(left, right)
        return node.operator === '&&' ? (right ?? left) : (left ?? right)
      }
      case 'ConditionalExpression': {
        // Both ways are fine.
        const before = this.#chooses
        this.#chooses = true
        this.of(node.test, env)
        this.#chooses = before
        const [yes, no] = [this.of(node.consequent, env), this.of(node.alternate, env)]
        return yes?.is === 'constant' ? (no ?? yes) : (yes ?? no)
      }
      case 'BinaryExpression': {
        const [left, right] = [this.of(node.left, env), this.of(node.right, env)]
        if (!this.#sight.quiet) compare(left, right, node.operator, this.#flipped)
        return null
      }
      case 'UnaryExpression': {
        const before = this.#flipped
        if (node.operator === '!') this.#flipped = !before
        const given = this.of(node.argument, env)
        this.#flipped = before
        if ((node.operator === '-' || node.operator === '+') && given?.is === 'shape') given.shape.is('number')
        return null
      }
      case 'TemplateLiteral': {
        for (const one of node.expressions) this.of(one, env)
        return node.expressions.length ? null : { is: 'constant', value: node.quasis[0]?.value.cooked }
      }
      case 'AssignmentExpression': {
        const value = this.of(node.right, env)
        if (node.left.type === 'Identifier') env.set(node.left.name, value)
        else if (node.left.type === 'MemberExpression') this.assign(node.left, value, env)
        return value
      }
      case 'ArrayExpression': {
        const all = node.elements.map((one) => this.of(one, env))
        const listed = all.find((one) => one?.is === 'item' || one?.is === 'items')
        if (listed?.is === 'item' || listed?.is === 'items') return { is: 'items', item: listed.item }
        if (all.every((one) => one?.is === 'constant'))
          return { is: 'constant', value: all.map((one) => (one as { value: unknown }).value) }
        const [first] = all
        if (first?.is !== 'shape') return null
        const list = madeShape()
        list.element = first.shape
        return { is: 'shape', shape: list }
      }
      case 'ObjectExpression':
        return this.object(node.properties, env)
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return { is: 'function', code: node, env }
      case 'SequenceExpression':
        return node.expressions.map((one) => this.of(one, env)).at(-1) ?? null
      case 'UpdateExpression':
        return this.of(node.argument, env)
      case 'TaggedTemplateExpression':
        for (const one of node.quasi.expressions) this.of(one, env)
        return null
      default:
        return null
    }
  }

  /** An object literal: an item where it has `json`, else a value that the workflow makes. */
  object(properties: AnyNode[], env: Env): KnownValue {
    const shape = madeShape()
    let item: NodeItem | null = null
    for (const property of properties) {
      if (property.type === 'SpreadElement') {
        const given = this.of(property.argument, env)
        if (given?.is === 'shape') shape.rest.push(given.shape)
        if (given?.is === 'item') item = { ...given.item }
        continue
      }
      if (property.type !== 'Property') continue
      const value = this.of(property.value as AnyNode, env)
      const name = keyOf(property.key as AnyNode, property.computed)
      if (name === null) continue
      const own = value?.is === 'shape' ? value.shape : madeShape(name)
      shape.fields.set(name, own)
    }
    const json = shape.fields.get('json')
    if (json) return { is: 'item', item: { json, binary: item?.binary ?? new Set() } }
    return item ? { is: 'item', item } : { is: 'shape', shape }
  }

  /** `item.json.total = …` makes a field that the nodes after it read. */
  assign(left: AnyNode & { type: 'MemberExpression' }, value: KnownValue, env: Env): void {
    const target = this.of(left.object as AnyNode, env)
    const name = keyOf(left.property as AnyNode, left.computed)
    if (name === null) return
    if (target?.is === 'shape') {
      const own = value?.is === 'shape' && value.shape !== target.shape ? value.shape : madeShape(name)
      if (!target.shape.fields.has(name)) target.shape.fields.set(name, own)
    } else if (target?.is === 'item' && name === 'json' && value?.is === 'shape') target.item.json = value.shape
  }

  member(node: AnyNode & { type: 'MemberExpression' }, env: Env): KnownValue {
    if (node.object.type === 'Identifier' && node.object.name === '$node') {
      const item = this.#sight.node(keyOf(node.property as AnyNode, node.computed) ?? '')
      return item && { is: 'item', item }
    }
    const object = this.of(node.object as AnyNode, env)
    const key = node.computed ? this.of(node.property as AnyNode, env) : null
    const name = keyOf(node.property as AnyNode, node.computed) ?? (key?.is === 'constant' ? String(key.value) : null)
    if (!object) {
      if (node.computed) this.of(node.property as AnyNode, env)
      return null
    }
    switch (object.is) {
      case 'shape':
        if (name === null || /^\d+$/.test(name)) return { is: 'shape', shape: object.shape.item() }
        return { is: 'shape', shape: object.shape.field(name) }
      case 'items':
        if (name === null || /^\d+$/.test(name) || name === 'item') return { is: 'item', item: object.item }
        if (name === 'json') return { is: 'shape', shape: object.item.json }
        if (name === 'binary') return { is: 'binary', item: object.item }
        return null
      case 'item':
        if (name === 'json') return { is: 'shape', shape: object.item.json }
        return name === 'binary' ? { is: 'binary', item: object.item } : null
      case 'binary':
        if (name !== null) object.item.binary.add(name)
        return null
      case 'variables':
        if (name !== null) this.#sight.variable?.(object.kind, name)
        return null
      default:
        return null
    }
  }

  call(node: AnyNode & { type: 'CallExpression' }, env: Env): KnownValue {
    const { callee } = node
    const args = node.arguments.map((one) => this.of(one, env))
    const [first] = args
    if (callee.type === 'Identifier' && !env.has(callee.name)) return this.globalCall(callee.name, first)
    if (callee.type === 'Identifier') return this.apply(env.get(callee.name) ?? null, args)
    if (callee.type !== 'MemberExpression') return this.apply(this.of(callee as AnyNode, env), args)
    const name = keyOf(callee.property as AnyNode, callee.computed)
    const { object } = callee
    if (object.type === 'Identifier' && !env.has(object.name)) {
      const told = this.staticCall(object.name, name ?? '', first)
      if (told !== undefined) return told
    }
    const target = this.of(object as AnyNode, env)
    if (target?.is === 'constant' && target.value instanceof RegExp && name === 'test' && first?.is === 'shape') {
      first.shape.patterns.push(target.value)
      return null
    }
    if (name === null || !target) {
      for (const one of args) this.apply(one, [])
      return null
    }
    if (target.is === 'constant' && Array.isArray(target.value) && name === 'includes' && first?.is === 'shape') {
      first.shape.values.push(...target.value)
      return null
    }
    if (target.is === 'items') {
      if (['first', 'last', 'itemMatching', 'at', 'pop', 'shift', 'find'].includes(name)) {
        this.apply(first ?? null, [{ is: 'item', item: target.item }])
        return { is: 'item', item: target.item }
      }
      if (name === 'all' || sameList.has(name)) {
        this.apply(first ?? null, [{ is: 'item', item: target.item }])
        return target
      }
      return this.over(name, first ?? null, args, { is: 'item', item: target.item })
    }
    return target.is === 'shape' ? this.method(target.shape, name, args) : null
  }

  /** Whether what is asked has to be so. */
  get #isWanted(): boolean {
    return !this.#flipped && !this.#chooses && !this.#sight.quiet
  }

  method(shape: Shape, name: string, args: KnownValue[]): KnownValue {
    const [first = null] = args
    if (textMethods.has(name)) {
      shape.is('text')
      if (name === 'match' && first?.is === 'constant' && first.value instanceof RegExp)
        shape.patterns.push(first.value)
      if (name === 'split' || name === 'match' || name === 'matchAll') return null
      if (first?.is === 'constant' && this.#isWanted) {
        if (name === 'startsWith') shape.starts ??= String(first.value)
        if (name === 'endsWith') shape.ends ??= String(first.value)
      }
      return { is: 'shape', shape }
    }
    if (dateMethods.has(name)) {
      shape.is('date')
      return null
    }
    if (name === 'includes' && first?.is === 'constant') {
      if (this.#isWanted) shape.parts.push(String(first.value))
      return null
    }
    if (name === 'toFixed' || name === 'round' || name === 'floor' || name === 'ceil') shape.is('number')
    if (name === 'toString' || name === 'valueOf' || name === 'toJsonString') return { is: 'shape', shape }
    if (name === 'at') return { is: 'shape', shape: shape.item() }
    if (name === 'slice' || name === 'concat') return { is: 'shape', shape }
    if (name === 'keys' || name === 'values' || name === 'isEmpty' || name === 'isNotEmpty') return null
    if (!listMethods.has(name)) return null
    shape.is('list')
    const element: KnownValue = { is: 'shape', shape: shape.item() }
    if (['find', 'findLast', 'pop', 'shift', 'first', 'last', 'randomItem'].includes(name)) {
      this.apply(first, [element])
      return element
    }
    if (sameList.has(name)) {
      this.apply(first, [element, element])
      return { is: 'shape', shape }
    }
    if (name === 'reduce') {
      this.apply(first, [args[1] ?? null, element])
      return null
    }
    return this.over(name, first, args, element)
  }

  over(name: string, callback: KnownValue, args: KnownValue[], element: KnownValue): KnownValue {
    if (name === 'reduce') {
      this.apply(callback, [args[1] ?? null, element])
      return args[1] ?? null
    }
    if (!withCallback.has(name)) return null
    const made = this.apply(callback, [element, null, null])
    if (name !== 'map' && name !== 'flatMap') return null
    if (made?.is === 'item' || made?.is === 'items') return { is: 'items', item: made.item }
    if (made?.is !== 'shape') return null
    const list = madeShape()
    list.element = made.shape
    return { is: 'shape', shape: list }
  }

  /** What the function returns for these arguments. */
  apply(called: KnownValue, args: KnownValue[]): KnownValue {
    if (called?.is !== 'function' || this.#depth > 60) return null
    const { code, env } = called
    const own: Env = new Map(env)
    code.params.forEach((param, index) => this.bind(param, args[index] ?? null, own))
    if (code.body.type !== 'BlockStatement') return this.of(code.body, own)
    const before = this.returned
    this.returned = null
    this.#depth++
    this.run(code.body, own)
    this.#depth--
    const { returned } = this
    this.returned = before
    // What it assigned to variables around it.
    for (const [name, value] of own) if (env.has(name) && value && !env.get(name)) env.set(name, value)
    return returned
  }

  bind(pattern: Pattern | AnyNode, value: KnownValue, env: Env): void {
    switch (pattern.type) {
      case 'Identifier':
        env.set(pattern.name, value)
        return
      case 'AssignmentPattern': {
        const usual = this.of(pattern.right, env)
        hint(value, usual)
        this.bind(pattern.left, value ?? usual, env)
        return
      }
      case 'ObjectPattern':
        for (const property of pattern.properties) {
          if (property.type === 'RestElement') this.bind(property.argument, value, env)
          else {
            const name = keyOf(property.key as AnyNode, property.computed)
            this.bind(property.value, name === null ? null : this.fieldOf(value, name), env)
          }
        }
        return
      case 'ArrayPattern':
        for (const element of pattern.elements) if (element) this.bind(element, this.elementOf(value), env)
        return
    }
  }

  fieldOf(value: KnownValue, name: string): KnownValue {
    if (value?.is === 'shape') return { is: 'shape', shape: value.shape.field(name) }
    if (value?.is === 'item' && name === 'json') return { is: 'shape', shape: value.item.json }
    return null
  }

  elementOf(value: KnownValue): KnownValue {
    if (value?.is === 'shape') return { is: 'shape', shape: value.shape.is('list').item() }
    return value?.is === 'items' ? { is: 'item', item: value.item } : null
  }

  global(name: string): KnownValue {
    const { input } = this.#sight
    switch (name) {
      case '$json':
        return { is: 'shape', shape: input.json }
      case '$input':
      case 'items':
        return { is: 'items', item: input }
      case 'item':
      case '$item':
        return { is: 'item', item: input }
      case '$binary':
        return { is: 'binary', item: input }
      case '$vars':
      case '$env':
        return { is: 'variables', kind: name }
      default:
        return null
    }
  }

  /** `$('Name')`; `$node["Name"]` is no call. */
  globalCall(name: string, first: KnownValue | undefined): KnownValue {
    if ((name === '$' || name === '$items' || name === '$node') && first?.is === 'constant') {
      const item = this.#sight.node(String(first.value))
      return item && { is: 'items', item }
    }
    if (first?.is === 'shape') {
      if (name === 'Number' || name === 'parseInt' || name === 'parseFloat') first.shape.is('number')
      if (name === 'encodeURIComponent' || name === 'decodeURIComponent') first.shape.is('text')
      if (name === 'String') return first
    }
    return null
  }

  /** A method of a global such as `JSON`; undefined where it is no global. */
  staticCall(object: string, name: string, first: KnownValue | undefined): KnownValue | undefined {
    const shape = first?.is === 'shape' ? first.shape : null
    switch (object) {
      case 'JSON':
        if (name === 'parse') return shape && { is: 'shape', shape: shape.json() }
        return null
      case 'Object':
        // Whatever the files are called, there has to be one.
        if (first?.is === 'binary' && first.item.binary.size === 0) first.item.binary.add('attachment_0')
        if (name === 'values' || name === 'entries') return null
        if (name === 'assign') return first ?? null
        shape?.is('object')
        return null
      case 'Array':
        if (name === 'isArray') shape?.is('list')
        return name === 'from' ? (first ?? null) : null
      case 'Math':
        shape?.is('number')
        return null
      case 'DateTime':
      case 'Date':
      case 'moment':
        shape?.is('date')
        return null
      case 'Buffer':
        shape?.is('text')
        return null
      default:
        return undefined
    }
  }
}

const madeShape = (name = ''): Shape => {
  const shape = new Shape(name)
  shape.made = true
  return shape
}

function keyOf(node: AnyNode, computed: boolean): string | null {
  if (node.type === 'Identifier') return computed ? null : node.name
  return node.type === 'Literal' ? String(node.value) : null
}

/** The value that stands in for a missing one says what kind it is. */
function hint(left: KnownValue, right: KnownValue): void {
  if (left?.is !== 'shape' || right?.is !== 'constant') return
  if (typeof right.value === 'number') left.shape.is('number')
  if (typeof right.value === 'boolean') left.shape.is('boolean')
  if (Array.isArray(right.value)) left.shape.is('list')
}

function compare(left: KnownValue, right: KnownValue, given: string, flips: boolean): void {
  if (left?.is === 'constant' && right?.is === 'shape') return compare(right, left, mirrored[given] ?? given, flips)
  if (left?.is !== 'shape') return
  const { shape } = left
  const operator = flips ? (opposite[given] ?? given) : given
  const value = right?.is === 'constant' ? right.value : undefined
  switch (operator) {
    case '===':
    case '==':
      if (value !== undefined && value !== null && value !== '') shape.values.push(value)
      return
    case '>':
    case '>=':
      if (typeof value === 'number') shape.is('number').above = value
      return
    case '<':
    case '<=':
      // A number below zero is seldom what a workflow is about.
      if (typeof value === 'number' && value > 0) shape.is('number').below = value
      return
    case '-':
    case '*':
    case '/':
    case '%':
      shape.is('number')
      if (right?.is === 'shape') right.shape.is('number')
      return
  }
}

const mirrored: Record<string, string> = { '>': '<', '<': '>', '>=': '<=', '<=': '>=' }
const opposite: Record<string, string> = {
  '>': '<=',
  '<': '>=',
  '>=': '<',
  '<=': '>',
  '===': '!==',
  '==': '!=',
  '!==': '===',
  '!=': '==',
}

const throws = (node: AnyNode): boolean =>
  node.type === 'ThrowStatement'
  || (node.type === 'BlockStatement' && node.body.some((one) => one.type === 'ThrowStatement'))
