import { isCollection, isMap, isScalar, LineCounter, parseAllDocuments, parseDocument, visit } from 'yaml'
import type { Document, Node, ParseOptions, SchemaOptions } from 'yaml'

/** YAML: every text is parsed here, since reading what a stranger wrote has to have an end. */

/** The parser takes about 10 µs and 2 kB for a part, which is a line, a bracket, a comma or a mark such as `-`. */
const most = {
  characters: 32 * 2 ** 20,
  parts: 200_000,
  aliases: 1000,
  values: 500_000,
  texts: 64 * 2 ** 20,
  levels: 200,
}

/** Why a text cannot be read as YAML, in words that hold none of it. */
export class NotYaml extends Error {
  readonly line: number | null

  constructor(line: number | null, problem: string) {
    super(problem)
    this.name = 'NotYaml'
    this.line = line
  }
}

export interface YamlDocument {
  document: Document
  value: unknown
}

type Options = ParseOptions & SchemaOptions & { lineCounter?: LineCounter }

/** The documents of a text. Throws `NotYaml`. */
export function yamlDocuments(text: string, given: Options = {}): YamlDocument[] {
  refuseLong(text)
  const lines = given.lineCounter ?? new LineCounter()
  // Of its own, the parser compares each key with all before it.
  const options = { logLevel: 'error' as const, ...given, lineCounter: lines, uniqueKeys: false }
  try {
    return [...parseAllDocuments(text, options)].map((document) => {
      refuseErrors(document)
      refuseOdd(document, lines)
      const value: unknown = document.toJS()
      refuseLarge(value)
      return { document, value }
    })
  } catch (error) {
    if (error instanceof NotYaml) throw error
    throw new NotYaml(null, error instanceof RangeError ? tooDeep : `${(error as Error).message}.`)
  }
}

/** The one document of a text; where it is empty, its value is null. */
export function yamlDocument(text: string, options?: Options): YamlDocument {
  const [first, second] = yamlDocuments(text, options)
  if (second) throw new NotYaml(null, 'several documents, where one is expected.')
  return first ?? { document: parseDocument(''), value: null }
}

export const yamlValue = (text: string): unknown => yamlDocument(text).value

const tooDeep = 'lists or maps that are nested too deep.'

const marks = new Set([...'\n,[]{}'].map((one) => one.charCodeAt(0)))
/** Where a word begins with them. */
const beginnings = new Set([...'-?:&!*|>#%'].map((one) => one.charCodeAt(0)))
const space = 32

/** The parser has built all of it before anybody can look. */
function refuseLong(text: string): void {
  if (text.length > most.characters) throw new NotYaml(null, `a text of more than ${most.characters >> 20} MiB.`)
  let parts = 0
  let before = space
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (marks.has(code) || (before <= space && beginnings.has(code))) parts++
    before = code
  }
  if (parts > most.parts) throw new NotYaml(null, `more than ${most.parts} lines and values.`)
}

/** In the parser's words without its picture of the place, which may show a secret. */
function refuseErrors({ errors: [error] }: Document): void {
  if (!error) return
  const [sentence = ''] = error.message.split('\n')
  throw new NotYaml(
    error.linePos?.[0].line ?? null,
    `${sentence.replace(/ at line \d+, column \d+:?$|(?<=in YAML stream): ".*$/, '')}.`,
  )
}

/** A key that is there twice or is no text, an anchor with an alias of itself within it, and what is too much. */
function refuseOdd(document: Document, lines: LineCounter): void {
  const lineOf = ({ range }: Node) => (range ? lines.linePos(range[0]).line : null)
  const anchors = new Map<string, Node>()
  let aliases = 0
  visit(document, {
    Node(_, node, path) {
      if (path.length > 2 * most.levels) throw new NotYaml(lineOf(node), tooDeep)
      if ('anchor' in node && node.anchor !== undefined) anchors.set(node.anchor, node)
      if (!isMap(node)) return
      const keys = new Set<unknown>()
      for (const { key } of node.items) {
        // The parser would write it out as a text, and each key within it once more.
        if (isCollection(key)) throw new NotYaml(lineOf(key), 'a list or a map as a key.')
        if (!isScalar(key) || key.value === '<<') continue
        if (keys.has(key.value)) throw new NotYaml(lineOf(key), 'Map keys must be unique.')
        keys.add(key.value)
      }
    },
    Alias(_, alias, path) {
      if (++aliases > most.aliases) throw new NotYaml(lineOf(alias), `more than ${most.aliases} aliases.`)
      if (path.includes(anchors.get(alias.source)!))
        throw new NotYaml(lineOf(alias), 'an anchor with an alias of itself within it, which has no end.')
    },
  })
}

/** An alias repeats what its anchor has: those who walk through the value see all of it each time. */
function refuseLarge(value: unknown): void {
  let values = 0
  let texts = 0
  const walk = (one: unknown, level: number): void => {
    if (level > most.levels) throw new NotYaml(null, tooDeep)
    if (typeof one === 'string') texts += one.length
    if (++values > most.values || texts > most.texts)
      throw new NotYaml(null, `aliases that make more than ${most.values} values of it, or ${most.texts >> 20} MiB.`)
    if (typeof one !== 'object' || one === null) return
    for (const [name, inner] of Object.entries(one)) {
      texts += name.length
      walk(inner, level + 1)
    }
  }
  walk(value, 0)
}
