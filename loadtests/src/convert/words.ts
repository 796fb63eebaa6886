import { isAlias, isMap, isScalar, isSeq, LineCounter, type Document, type Node, type Pair } from 'yaml'
import type { Leaf, Row } from './account.ts'
import type { Converted } from './convert.ts'
import { movedSecret, type Note, type Whereabouts } from './draft.ts'

/** The line of a key in the given file. */
export type LineOf = (keys: (string | number)[]) => number | null

/** What the reader has to know and do, beside the values; how many keys there were, and what became of each. */
export function notesOf({ secrets, changes, todos, account, inside }: Converted, lineOf: LineOf): string {
  const rows = account.rows().map((row) => ({ ...row, place: placeOf(row, lineOf) }))
  const refused = rows.flatMap(({ place, outcome }) => (outcome.is === 'refused' ? [[place, outcome.why]] : []))
  const dropped = rows.flatMap(({ place, outcome }) => (outcome.is === 'dropped' ? [[place, outcome.why]] : []))
  const mapped = rows.flatMap(({ place, outcome }) => (outcome.is === 'mapped' ? [arrow(place, outcome.to)] : []))
  const parts = [
    secrets.size > 0 ? copySecrets([...secrets], inside) : '',
    section('Different from now on:', byText(changes.map(({ path, text }) => [path, text]))),
    section('Left to you:', byText([...todos.map(({ path, text }: Note) => [path, text]), ...refused])),
    section('Dropped, and why:', byText(dropped)),
    section('Converted:', mapped),
    counted(rows),
  ]
  return parts.filter(Boolean).join('\n')
}

const arrow = (place: string, to: string[]) => `  ${place} → ${to.join(', ')}`

function placeOf({ path, leaves }: Row, lineOf: LineOf): string {
  const line = lineOf(leaves[0]!.keys)
  const keys = leaves.length > 1 ? ` (${leaves.length} keys)` : ''
  const [{ variable }] = leaves as [Leaf]
  const about = variable === undefined ? keys : ` (${variable})`
  return `${line === null ? '' : `line ${line}: `}${path}${about}`
}

/** Each text once, and under it every place that it is said of. */
function byText(said: string[][]): string[] {
  const places = new Map<string, string[]>()
  for (const [place, text] of said) places.set(text!, [...(places.get(text!) ?? []), place!])
  return [...places].flatMap(([text, all]) => [`  ${text}`, ...all.map((place) => `    ${place}`)])
}

function counted(rows: Row[]): string {
  const of = (outcome: string) =>
    rows.filter((row) => row.outcome.is === outcome).reduce((sum, { leaves }) => sum + leaves.length, 0)
  const all = rows.reduce((sum, { leaves }) => sum + leaves.length, 0)
  return `${all} keys: ${of('mapped')} converted, ${of('dropped')} dropped, ${of('refused')} left to you.\n`
}

/**
 * Read where n8n reads them, so that it does not matter which Secret or file they came from. The Secret is made whole
 * or not at all: an empty value ends the command before it prints anything.
 */
function copySecrets(secrets: [string, Whereabouts][], inside: string): string {
  const read = secrets.map(([name, where]) => `  ${name}: ${readerOf(name, where)},`)
  const script = [
    'const { readFileSync } = require("fs")',
    'const json = (file) => JSON.parse(readFileSync(file, "utf8"))',
    'const variable = (name, file = process.env[name + "_FILE"]) =>',
    '  process.env[name] || (file && readFileSync(file, "utf8").trim())',
    'const folder = process.env.N8N_USER_FOLDER || require("os").homedir()',
    'const stringData = {',
    ...read,
    '}',
    'const empty = Object.keys(stringData).filter((name) => !stringData[name])',
    'if (empty.length > 0) throw new Error("This n8n has no value for " + empty.join(", ") + ".")',
    `const metadata = { name: "${movedSecret}" }`,
    'console.log(JSON.stringify({ apiVersion: "v1", kind: "Secret", metadata, stringData }))',
  ]
  return (
    'While the old n8n runs, copy its secrets. The command makes the whole Secret, or none if a value is empty:\n\n'
    + `${inside} node -e '\n${script.join('\n')}\n' | kubectl create --filename -\n`
  )
}

function readerOf(name: string, where: Whereabouts): string {
  if (where === 'environment') return `variable("${name}")`
  if (where === 'folder') return 'json(folder + "/.n8n/config").encryptionKey'
  return `json("${where.file}")${where.keys.map((key) => `?.${key}`).join('')}`
}

function section(title: string, lines: string[]): string {
  return lines.length === 0 ? '' : `${title}\n${lines.join('\n')}\n`
}

/** The line of a key, also where an anchor (`<<: *shared`) repeats it; that of the nearest map around it if unknown. */
export function lineIn(document: Document, text: string, keys: (string | number)[]): number | null {
  const lines = new LineCounter()
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1)
  lines.lineStarts.unshift(0)
  let node: unknown = document.contents
  let offset: number | undefined
  for (const key of keys) {
    const found = inside(document, node, key)
    if (!found) break
    offset = found.at ?? offset
    node = found.node
  }
  return offset === undefined ? null : lines.linePos(offset).line
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
    const merged = resolved(document, pair.value)
    for (const source of isSeq(merged) ? merged.items : [merged]) {
      const found = inside(document, source, key)
      if (found) return found
    }
  }
  return undefined
}

const nameOf = ({ key }: Pair) => (isScalar(key) ? String(key.source ?? key.value) : undefined)

const resolved = (document: Document, node: unknown) => (isAlias(node) ? node.resolve(document) : node)
