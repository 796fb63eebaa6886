import { isAlias, isMap, isScalar, isSeq, LineCounter, type Document, type Node, type Pair } from 'yaml'
import { locationText, usage, type Location } from '../../lib/errors.ts'
import { isMap as isValues, mergeValues } from '../../lib/values.ts'
import { NotYaml, yamlDocuments } from '../../lib/yaml.ts'
import { readYaml } from '../../model/yaml-file.ts'
import type { Values } from '../../model/experiment.ts'

/** The keys of a value, as the YAML parser takes them. */
export type Keys = (string | number)[]

/** Some of their values, and where each key stands: of several layers a later one goes before an earlier one. */
export interface Layer {
  values: Values
  place(keys: Keys): Location | null
}

/** One document of a YAML file. */
export interface Read extends Layer {
  file: string
  document: Document
}

/** The documents of a YAML file that have keys. */
export async function documentsOf(file: string): Promise<Read[]> {
  return documentsIn(await readYaml(file), file)
}

/** The same of a text that begins after so many lines of its file. */
export function documentsIn(text: string, file: string, linesBefore = 0): Read[] {
  const lines = new LineCounter()
  const refuse = (line: number | null, got: string) => badFile({ file, line: linesBefore + (line ?? 1) }, got, text)
  try {
    return yamlDocuments(text, { merge: true, lineCounter: lines }).flatMap(({ document, value: values }) => {
      if (values === null) return []
      if (!isValues(values)) throw refuse(1, Array.isArray(values) ? 'a list.' : 'one text.')
      const place = (keys: Keys) => {
        const offset = offsetOf(document, keys)
        return { file, line: offset === undefined ? null : linesBefore + lines.linePos(offset).line }
      }
      return [{ values, place, file, document }]
    })
  } catch (error) {
    throw error instanceof NotYaml ? refuse(error.line, error.message) : error
  }
}

const badFile = (location: Location, got: string, text: string) =>
  usage(
    'bad-values',
    `${locationText(location)}: Expected YAML with keys, got: ${got}`,
    text.includes('{{')
      ? 'It is a template. Convert what its program makes of it, as helmfile write-values does.'
      : 'Correct that file.',
  )

/** What is at those keys: a map, or YAML in a text; none if nothing is there. */
export function layersAt({ values, place }: Layer, keys: Keys, file: string): Layer[] {
  const inner = keys.reduce<unknown>((around, key) => (around as Values | null | undefined)?.[key], values)
  if (isValues(inner)) return [{ values: inner, place: (more) => place([...keys, ...more]) }]
  if (typeof inner !== 'string' || inner.trim() === '') return []
  const { file: of = file, line = 0 } = place(keys) ?? {}
  return documentsIn(inner, of, line ?? 0)
}

/** All of them as Helm merges them, each key with the place that it has its value from. */
export function merged(layers: Layer[]): Layer {
  const values = mergeValues(...layers.map((layer) => layer.values))
  const place = (keys: Keys) => {
    const last = layers.findLast((layer) => has(layer.values, keys))
    return (last ?? layers.at(-1))?.place(keys) ?? null
  }
  return { values, place }
}

function has(values: unknown, [key, ...more]: Keys): boolean {
  if (key === undefined) return true
  return typeof values === 'object' && values !== null && key in values && has((values as Values)[key], more)
}

/** Where a key is, also one that an anchor (`<<: *shared`) repeats; the nearest map around it if it is not there. */
function offsetOf(document: Document, keys: Keys): number | undefined {
  let node: unknown = document.contents
  let offset: number | undefined
  for (const key of keys) {
    const found = inside(document, node, key)
    if (!found) break
    offset = found.at ?? offset
    node = found.node
  }
  return offset
}

interface Found {
  node: unknown
  at: number | undefined
}

function inside(document: Document, around: unknown, key: string | number): Found | undefined {
  const node = resolved(document, around)
  if (isSeq(node)) {
    const entry = node.items[Number(key)]
    return entry === undefined ? undefined : { node: entry, at: (entry as Node).range?.[0] }
  }
  if (!isMap(node)) return undefined
  const own = node.items.find((pair) => nameOf(pair) === String(key))
  if (own) return { node: own.value, at: (own.key as Node).range?.[0] }
  for (const pair of node.items.filter((item) => nameOf(item) === '<<')) {
    const repeated = resolved(document, pair.value)
    for (const source of isSeq(repeated) ? repeated.items : [repeated]) {
      const found = inside(document, source, key)
      if (found) return found
    }
  }
  return undefined
}

const nameOf = ({ key }: Pair) => (isScalar(key) ? String(key.source ?? key.value) : undefined)

const resolved = (document: Document, node: unknown) => (isAlias(node) ? node.resolve(document) : node)
