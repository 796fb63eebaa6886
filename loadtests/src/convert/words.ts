import { dirname, relative } from 'node:path'
import type { Location } from '../lib/errors.ts'
import type { Leaf, Row } from './account.ts'
import type { Converted } from './convert.ts'
import { movedSecret, type Note, type Whereabouts } from './draft.ts'

/** Where a key stands. */
export type PlaceOf = (keys: (string | number)[]) => Location | null

/** What the reader has to know and do, beside the values; how many keys there were, and what became of each. */
export function notesOf(
  { secrets, changes, todos, account, inside }: Converted,
  file: string,
  placeOf: PlaceOf,
): string {
  const rows = account.rows().map((row) => ({ ...row, place: told(row, file, placeOf) }))
  const refused = rows.flatMap(({ place, outcome }) => (outcome.is === 'refused' ? [[place, outcome.why]] : []))
  const dropped = rows.flatMap(({ place, outcome }) => (outcome.is === 'dropped' ? [[place, outcome.why]] : []))
  const mapped = rows.flatMap(({ place, outcome }) => (outcome.is === 'mapped' ? [arrow(place, outcome.to)] : []))
  const copy = copyOf({ secrets, inside })
  const parts = [
    copy === null ? '' : `${toCopy}\n\n${copy}\n`,
    section('Different from now on:', byText(changes.map(({ path, text }) => [path, text]))),
    section('Left to you:', byText([...todos.map(({ path, text }: Note) => [path, text]), ...refused])),
    section('Dropped, and why:', byText(dropped)),
    section('Converted:', mapped),
    counted(rows, todos.length),
  ]
  return parts.filter(Boolean).join('\n')
}

const arrow = (place: string, to: string[]) => `  ${place} → ${to.join(', ')}`

/** A key with its line, and with its file where that is another one. */
function told({ path, leaves }: Row, file: string, placeOf: PlaceOf): string {
  const place = placeOf(leaves[0]!.keys)
  const line = place?.line ? `line ${place.line}: ` : ''
  const before = place && place.file !== file && line ? `${relative(dirname(file), place.file)}, ${line}` : line
  const keys = leaves.length > 1 ? ` (${leaves.length} keys)` : ''
  const [{ variable }] = leaves as [Leaf]
  return `${before}${path}${variable === undefined ? keys : ` (${variable})`}`
}

/** Each text once, and under it every place that it is said of. */
function byText(said: string[][]): string[] {
  const places = new Map<string, string[]>()
  for (const [place, text] of said) places.set(text!, [...(places.get(text!) ?? []), place!])
  return [...places].flatMap(([text, all]) => [`  ${text}`, ...all.map((place) => `    ${place}`)])
}

function counted(rows: Row[], besides: number): string {
  const of = (outcome: string) =>
    rows.filter((row) => row.outcome.is === outcome).reduce((sum, { leaves }) => sum + leaves.length, 0)
  const all = rows.reduce((sum, { leaves }) => sum + leaves.length, 0)
  const said = `${all} keys: ${of('mapped')} converted, ${of('dropped')} dropped, ${of('refused')} left to you.`
  const sum = of('refused') + besides
  return besides === 0 ? `${said}\n` : `${said} With what follows from several keys, ${sum} left to you.\n`
}

const toCopy =
  'While the old n8n runs, copy its secrets. The command makes the whole Secret, or none if a value is empty:'

/**
 * The command that copies them; null where there are none. Read where n8n reads them, so that it does not matter which
 * Secret or file they came from. The Secret is made whole or not at all: an empty value ends the command before it
 * prints anything.
 */
export function copyOf({ secrets, inside }: Pick<Converted, 'secrets' | 'inside'>): string | null {
  if (secrets.size === 0) return null
  const read = [...secrets].map(([name, where]) => `  ${name}: ${readerOf(name, where)},`)
  const script = [
    'const { existsSync, readFileSync } = require("fs")',
    'const json = (file) => JSON.parse(readFileSync(file, "utf8"))',
    'const variable = (name, file = process.env[name + "_FILE"]) =>',
    '  process.env[name] || (file && readFileSync(file, "utf8").trim())',
    'const settings = (process.env.N8N_USER_FOLDER || require("os").homedir()) + "/.n8n/config"',
    'const key = existsSync(settings) && json(settings).encryptionKey',
    'const stringData = {',
    ...read,
    '}',
    'const empty = Object.keys(stringData).filter((name) => !stringData[name])',
    'if (empty.length > 0) throw new Error("This n8n has no value for " + empty.join(", ") + ".")',
    `const metadata = { name: "${movedSecret}" }`,
    'console.log(JSON.stringify({ apiVersion: "v1", kind: "Secret", metadata, stringData }))',
  ]
  return `${inside} node -e '\n${script.join('\n')}\n' | kubectl create --filename -`
}

/** The key as n8n uses it is in its folder: releases differ in what they make of its variables and files. */
function readerOf(name: string, where: Whereabouts): string {
  if (where === 'folder') return 'key'
  if (where === 'environment') return `${name === 'N8N_ENCRYPTION_KEY' ? 'key || ' : ''}variable("${name}")`
  return `json("${where.file}")${where.keys.map((key) => `?.${key}`).join('')}`
}

function section(title: string, lines: string[]): string {
  return lines.length === 0 ? '' : `${title}\n${lines.join('\n')}\n`
}
