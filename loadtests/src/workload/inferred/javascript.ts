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
  /** A list of which each place has its meaning: a key and its value (or all such pairs), what a pattern has found. */
  | { is: 'places'; of: KnownValue[] }
  | { is: 'constant'; value: unknown }
  | { is: 'function'; code: JsFunction; env: Env }
  | { is: 'variables'; kind: '$vars' | '$env' }
  /** `$node`, which has each node by its name. */
  | { is: 'nodes' }
  | null

/** Variables, of a function and of what is around it. */
class Env {
  readonly #around: Env | null
  readonly #own = new Map<string, KnownValue>()

  constructor(around: Env | null = null) {
    this.#around = around
  }

  get(name: string): KnownValue | undefined {
    return this.#own.has(name) ? this.#own.get(name) : this.#around?.get(name)
  }

  has(name: string): boolean {
    return this.#own.has(name) || (this.#around?.has(name) ?? false)
  }

  set(name: string, value: KnownValue): void {
    this.#own.set(name, value)
  }

  /** What was assigned to variables around stays there. */
  keep(): void {
    for (const [name, value] of this.#own)
      if (value && this.#around?.has(name) && !this.#around.get(name)) this.#around.set(name, value)
  }
}

/** Enough for code of hundreds of kilobytes; what calls itself without end stops here. */
const mostSteps = 200_000
/** Characters and values of a constant: nobody compares with a longer one. */
const largest = 100_000
/** Each level is a few frames of the stack. */
const deepest = 500

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
  const env = new Env()
  for (const statement of program.body) reader.run(statement, env)
  return reader.returned
}

/** The same of one expression, without its braces. */
export function readExpression(code: string, sight: Sight): KnownValue {
  const program = parsed(`(${code}\n)`) ?? parsed(code)
  if (!program) return null
  const reader = new Reader(sight)
  const env = new Env()
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
  /** The code may give its items other contents: those of the node before stay as they are. */
  readonly #input: NodeItem
  returned: KnownValue = null
  #depth = 0
  #steps = 0
  /** The functions that are being read, the innermost last. */
  readonly #within: JsFunction[] = []
  /** The condition that is read has to come out false. */
  #flipped = false
  /** How it comes out is known: a guard is passed. Else what it asks for is fine, and `!` says that it is missing. */
  #decided = false
  /** What is read decides between two values, and either will do. */
  #chooses = false

  constructor(sight: Sight) {
    this.#sight = sight
    this.#input = { ...sight.input }
    this.#flipped = sight.flips ?? false
    this.#decided = sight.flips !== undefined
  }

  #node(name: string): NodeItem | null {
    const item = this.#sight.node(name)
    return item && { ...item }
  }

  run(node: AnyNode | null | undefined, env: Env): void {
    if (!node || this.#depth > deepest || this.#steps++ > mostSteps) return
    this.#depth++
    try {
      this.#run(node, env)
    } finally {
      this.#depth--
    }
  }

  #run(node: AnyNode, env: Env): void {
    switch (node.type) {
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations) this.bind(id, init ? this.of(init, env) : null, env)
        return
      case 'FunctionDeclaration':
        if (node.id) env.set(node.id.name, { is: 'function', code: node, env })
        return
      case 'ExpressionStatement':
        this.of(node.expression, env)
        return
      case 'ReturnStatement':
        if (node.argument) this.returned = latest(this.returned, this.of(node.argument, env))
        return
      case 'IfStatement':
        // A guard is to be passed.
        this.#flipped = this.#decided = leaves(node.consequent)
        this.of(node.test, env)
        this.#flipped = this.#decided = false
        this.run(node.consequent, env)
        this.run(node.alternate, env)
        return
      case 'BlockStatement':
        for (const one of node.body) if (one.type === 'FunctionDeclaration') this.run(one, env)
        for (const one of node.body) if (one.type !== 'FunctionDeclaration') this.run(one, env)
        return
      case 'ForOfStatement': {
        const over = this.of(node.right, env)
        const left = node.left.type === 'VariableDeclaration' ? node.left.declarations[0]!.id : node.left
        for (const element of this.elementsOf(over)) {
          this.bind(left, element, env)
          this.run(node.body, env)
        }
        return
      }
      case 'ForInStatement': {
        const over = this.of(node.right, env)
        if (over?.is === 'binary' && over.item.binary.size === 0) over.item.binary.add('attachment_0')
        if (over?.is === 'shape') over.shape.is('object')
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
        if (node.handler) {
          // What stands in after a failure replaces nothing.
          const { returned } = this
          const own = new Env(env)
          if (node.handler.param) this.bind(node.handler.param, null, own)
          this.run(node.handler.body, own)
          own.keep()
          this.returned = returned ?? this.returned
        }
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
    if (!node || this.#depth > deepest || this.#steps++ > mostSteps) return null
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
        return this.of(node.argument, env)
      case 'SpreadElement':
        return this.elementOf(this.of(node.argument, env))
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
        return node.callee.type === 'Identifier' && node.callee.name === 'Set' ? (first ?? null) : null
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
        // A long text is put together of hundreds of parts, each within the next.
        const all = [node]
        for (let { left } = node; left.type === 'BinaryExpression'; { left } = left) all.unshift(left)
        let left = this.of(all[0]!.left, env)
        for (const { operator, right: other } of all) {
          const right = this.of(other, env)
          if (!this.#sight.quiet) compare(left, right, operator, this.#flipped)
          left = null
        }
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
        if (node.left.type === 'Identifier') {
          const before = env.get(node.left.name) ?? null
          const isPlain = /^(\|\||&&|\?\?)?=$/.test(node.operator)
          // A sum that begins with a number adds numbers.
          if (!isPlain) hint(value, before)
          env.set(node.left.name, isPlain && value ? latest(before, value) : null)
        } else if (node.left.type === 'MemberExpression') this.assign(node.left, value, env)
        else this.bind(node.left, value, env)
        return value
      }
      case 'ArrayExpression':
        return listed(node.elements.map((one) => this.of(one, env)))
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
      // A method of its own is seldom called where that can be seen.
      if (value?.is === 'function') this.apply(value, [])
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
    const object = this.of(node.object as AnyNode, env)
    const key = node.computed ? this.of(node.property as AnyNode, env) : null
    const name = keyOf(node.property as AnyNode, node.computed) ?? (key?.is === 'constant' ? String(key.value) : null)
    if (!object) {
      if (node.computed) this.of(node.property as AnyNode, env)
      return null
    }
    return name === null ? this.elementOf(object, false) : this.fieldOf(object, name)
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
      const told = this.staticCall(object.name, name ?? '', args)
      if (told !== undefined) return told
    }
    const target = this.of(object as AnyNode, env)
    if (target?.is === 'constant' && target.value instanceof RegExp && first?.is === 'shape') {
      if (this.#asks) first.shape.patterns.push(target.value)
      return name === 'exec' ? { is: 'places', of: [first] } : null
    }
    if (name === null || !target) {
      for (const one of args) this.apply(one, [])
      return null
    }
    if (target.is === 'constant' && Array.isArray(target.value)) return this.ofConstants(target, name, args)
    if (target.is === 'items' || target.is === 'places') {
      const element = this.elementOf(target)
      if (['first', 'last', 'itemMatching', 'at', 'pop', 'shift', 'find'].includes(name)) {
        this.apply(first ?? null, [element])
        return element
      }
      if (name === 'all' || sameList.has(name)) {
        this.apply(first ?? null, [element, element])
        return target
      }
      return name === 'entries' ? pairsOf(element) : this.over(name, first ?? null, args, element)
    }
    return target.is === 'shape' ? this.method(target.shape, name, args) : null
  }

  /** A list that the code writes out, or begins with nothing in it and fills. */
  ofConstants(target: KnownValue & { is: 'constant' }, name: string, [first = null]: KnownValue[]): KnownValue {
    if (name === 'includes' && first?.is === 'shape' && this.#asks)
      for (const value of target.value as unknown[]) first.shape.values.push(value)
    // Whoever holds the list holds what it has become.
    if ((name === 'push' || name === 'unshift') && first && first.is !== 'constant')
      Object.assign(target, listed([first]))
    if (!withCallback.has(name)) return null
    const made = this.elementsOf(target).map((one) => this.apply(first, [one]))
    return name === 'map' || name === 'flatMap' ? listed(made) : sameList.has(name) ? target : null
  }

  /** Whether it does no harm that what is asked is so. */
  get #asks(): boolean {
    return !(this.#decided && this.#flipped) && !this.#sight.quiet
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
      if (name === 'match') return { is: 'places', of: [{ is: 'shape', shape }] }
      if (name === 'split' || name === 'matchAll') return null
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
    if (name === 'toNumber' || name === 'toInt' || name === 'toFloat') shape.is('text').is('number')
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
    if (name === 'entries') return pairsOf(element)
    if (['sum', 'average', 'max', 'min'].includes(name)) shape.item().is('number')
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
    if (called?.is !== 'function') return null
    const { code, env } = called
    // A function that calls itself is read of two levels.
    if (this.#within.filter((one) => one === code).length > 1) return null
    const own = new Env(env)
    code.params.forEach((param, index) =>
      param.type === 'RestElement'
        ? this.bind(param.argument, listed(args.slice(index)), own)
        : this.bind(param, args[index] ?? null, own),
    )
    const before = this.returned
    this.returned = null
    this.#within.push(code)
    if (code.body.type === 'BlockStatement') this.run(code.body, own)
    else this.returned = this.of(code.body, own)
    this.#within.pop()
    const { returned } = this
    this.returned = before
    own.keep()
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
        pattern.elements.forEach((element, index) => {
          if (element?.type === 'RestElement') this.bind(element.argument, value, env)
          else if (element) this.bind(element, this.partOf(value, index), env)
        })
        return
      case 'MemberExpression':
        this.assign(pattern, value, env)
        return
    }
  }

  fieldOf(value: KnownValue, name: string): KnownValue {
    const isIndex = /^\d+$/.test(name)
    switch (value?.is) {
      case 'shape':
        return { is: 'shape', shape: isIndex ? value.shape.item() : value.shape.field(name) }
      case 'items':
        if (isIndex || name === 'item') return { is: 'item', item: value.item }
        return this.fieldOf({ is: 'item', item: value.item }, name)
      case 'item':
        if (name === 'json' || name === 'data') return { is: 'shape', shape: value.item.json }
        if (name === '$node') return { is: 'nodes' }
        return name === 'binary' ? { is: 'binary', item: value.item } : null
      case 'nodes': {
        const item = this.#node(name)
        return item && { is: 'item', item }
      }
      case 'binary':
        value.item.binary.add(name)
        return null
      case 'variables':
        this.#sight.variable?.(value.kind, name)
        return null
      case 'places':
        return value.of[Number(name)] ?? null
      case 'constant':
        return Array.isArray(value.value) && Number(name) in value.value
          ? { is: 'constant', value: value.value[Number(name)] as unknown }
          : null
      default:
        return null
    }
  }

  /** `lists`: only a list has it. */
  elementOf(value: KnownValue, lists = true): KnownValue {
    if (value?.is === 'shape') return { is: 'shape', shape: (lists ? value.shape.is('list') : value.shape).item() }
    if (value?.is === 'places') return value
    return value?.is === 'items' ? { is: 'item', item: value.item } : null
  }

  /** What a pattern takes of a list at an index. */
  partOf(value: KnownValue, index: number): KnownValue {
    return value?.is === 'constant' || value?.is === 'places'
      ? this.fieldOf(value, String(index))
      : this.elementOf(value)
  }

  /** Each of a list of constants, as far as anyone lists by hand; else the one that stands for all. */
  elementsOf(value: KnownValue): KnownValue[] {
    return value?.is === 'constant' && Array.isArray(value.value) && value.value.length
      ? value.value.slice(0, 100).map((one: unknown) => ({ is: 'constant', value: one }))
      : [this.elementOf(value)]
  }

  global(name: string): KnownValue {
    const input = this.#input
    switch (name) {
      case '$json':
      case '$data':
        return { is: 'shape', shape: input.json }
      case '$input':
      case 'items':
        return { is: 'items', item: input }
      case 'item':
      case '$item':
        return { is: 'item', item: input }
      case '$binary':
        return { is: 'binary', item: input }
      case '$node':
        return { is: 'nodes' }
      case '$vars':
      case '$env':
        return { is: 'variables', kind: name }
      default:
        return null
    }
  }

  /** `$('Name')`, `$items("Name")`, and `$items()` for those that come in. */
  globalCall(name: string, first: KnownValue | undefined): KnownValue {
    if (name === '$item' || (name === '$items' && !first)) return { is: 'items', item: this.#input }
    if ((name === '$' || name === '$items') && first?.is === 'constant') {
      const item = this.#node(String(first.value))
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
  staticCall(object: string, name: string, [first, ...others]: KnownValue[]): KnownValue | undefined {
    const shape = first?.is === 'shape' ? first.shape : null
    switch (object) {
      case 'JSON':
        if (name === 'parse') return shape && { is: 'shape', shape: shape.json() }
        return null
      case 'Object':
        // Whatever the files are called, there has to be one.
        if (first?.is === 'binary' && first.item.binary.size === 0) first.item.binary.add('attachment_0')
        if (name === 'fromEntries') return null
        if (name === 'assign') return assigned(first ?? null, others)
        if (!shape?.is('object') || shape.made) return null
        if (name === 'values') return listed([{ is: 'shape', shape: shape.item() }])
        return name === 'entries' ? pairsOf({ is: 'shape', shape: shape.item() }) : null
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

const pairsOf = (value: KnownValue): KnownValue => ({ is: 'places', of: [null, value] })

/** What a list of these is. */
function listed(all: KnownValue[]): KnownValue {
  const item = all.find((one) => one?.is === 'item' || one?.is === 'items')
  if (item?.is === 'item' || item?.is === 'items') return { is: 'items', item: item.item }
  if (all.every((one) => one?.is === 'constant')) return constants(all.map(({ value }) => value))
  const [first] = all
  if (first?.is !== 'shape') return null
  const list = madeShape()
  list.element = first.shape
  return { is: 'shape', shape: list }
}

/** How much is in each list of constants: a list that holds another twice, which does the same, soon is without end. */
const sizes = new WeakMap<object, number>()
const sizeOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : typeof value === 'object' && value ? (sizes.get(value) ?? 1) : 1

function constants(value: unknown[]): KnownValue {
  const size = value.reduce<number>((sum, one) => sum + sizeOf(one), 1)
  if (size > largest) return null
  sizes.set(value, size)
  return { is: 'constant', value }
}

/** What `Object.assign` makes of them. */
function assigned(target: KnownValue, others: KnownValue[]): KnownValue {
  if (target?.is !== 'shape') return target
  for (const given of others) {
    if (given?.is !== 'shape' || given.shape === target.shape) continue
    for (const [name, field] of given.shape.fields)
      if (field.made && !target.shape.fields.has(name)) target.shape.fields.set(name, field)
    if (target.shape.made) target.shape.rest.push(given.shape)
  }
  return target
}

/** A constant or an empty object stands in for what was there, and does not replace it. */
function latest(before: KnownValue, value: KnownValue): KnownValue {
  const { made = false, isRead = false, rest = [] } = value?.is === 'shape' ? value.shape : {}
  const standsIn = !value || value.is === 'constant' || (made && !isRead && !rest.length)
  return before && before.is !== 'constant' && standsIn ? before : (value ?? before)
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
      if (['string', 'number', 'boolean'].includes(typeof value) && value !== '') shape.values.push(value)
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

/** Throws, or does nothing but hand on nothing. */
const leaves = (node: AnyNode): boolean =>
  node.type === 'ThrowStatement'
  || node.type === 'ContinueStatement'
  || (node.type === 'ReturnStatement' && isNothing(node.argument))
  || (node.type === 'BlockStatement'
    && node.body.some((one) => (node.body.length === 1 ? leaves(one) : one.type === 'ThrowStatement')))

const isNothing = (node: AnyNode | null | undefined): boolean =>
  !node
  || (node.type === 'Literal' && node.value === null)
  || (node.type === 'ArrayExpression' && node.elements.length === 0)
