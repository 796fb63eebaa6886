import { LineCounter, type Document } from 'yaml'
import type { z } from 'zod'
import { locationText, usage, type LabError, type Location, problemOf } from '../lib/errors.ts'
import { readText } from '../lib/read.ts'
import { NotYaml, yamlDocument, type YamlDocument } from '../lib/yaml.ts'

/** A file that a user writes in YAML: its problems are told one by one, each with its line. */

/** What a file is, for sentences about it. */
interface Subject {
  file: string
  /** `the profile`. */
  whole: string
  /** The keys that it may have at its top. */
  keys: string[]
  /** The page that lists every key. */
  page: string
}

type Path = readonly PropertyKey[]

export async function readYaml(file: string): Promise<string> {
  return readText(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadableFile(file, problemOf(error))
  })
}

export const unreadableFile = (path: string, reason: string) =>
  usage(
    'unreadable-file',
    `${path}: Expected a readable YAML file, got: ${reason}.`,
    'Check the path and the file’s syntax.',
  )

/** What a schema makes of a file's text, with functions that find its keys. */
export function parseYaml<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  subject: Subject,
): { parsed: z.output<Schema>; locate(path: Path): Location; has(path: Path): boolean } {
  const { file } = subject
  const lines = new LineCounter()
  const refuse = (line: number | null, problem: string) =>
    badProfile({ file, line }, [`Expected YAML, got: ${problem}`], 'Correct the syntax at that line.')
  const { document, value: given } = yamlIn(text, refuse, { lineCounter: lines })
  const locate = (path: Path): Location => ({ file, line: lineOf(document, lines, path) })
  const { success, data, error } = schema.safeParse(given)
  if (!success) throw refusalOf(error.issues, given, { ...subject, locate })
  return { parsed: data, locate, has: (path) => document.hasIn(path) }
}

/** What is wrong with a profile, or a file that is read like one. */
export const badProfile = (location: Location, problems: string[], fix: string) =>
  usage('bad-profile', problems.map((problem) => `${locationText(location)}: ${problem}`).join('\n'), fix)

/** A text as YAML: the document and its value. `refuse` makes the error of what is none. */
export function yamlIn(
  text: string,
  refuse: (line: number | null, problem: string) => LabError,
  options?: Parameters<typeof yamlDocument>[1],
): YamlDocument {
  try {
    return yamlDocument(text, options)
  } catch (error) {
    throw error instanceof NotYaml ? refuse(error.line, error.message) : error
  }
}

/** The line of the deepest part of the path that exists in the file. */
export function lineOf(document: Document, lines: LineCounter, path: Path): number | null {
  for (let depth = path.length; depth > 0; depth--) {
    const offset = offsetOf(document, path.slice(0, depth))
    if (offset !== undefined) return lines.linePos(offset).line
  }
  return document.contents ? 1 : null
}

/** The position of the key itself, so that an error points at the key and not at the value below it. */
function offsetOf(document: Document, path: Path): number | undefined {
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents
  const key = path.at(-1)
  const items = (parent as { items?: unknown[] } | null)?.items
  const pair = items?.find((item) => (item as { key?: { value?: unknown } }).key?.value === key) as
    { key: { range?: number[] } } | undefined
  if (pair) return pair.key.range?.[0]
  const node = document.getIn(path, true) as { range?: number[] } | undefined
  return node?.range?.[0]
}

/** A subject whose keys can be found in its file. */
type Found = Subject & { locate(path: Path): Location }

/**
 * One clear sentence for one problem: it is easier to correct problems one by one than to read a list that repeats
 * itself.
 */
function refusalOf(issues: readonly z.core.$ZodIssue[], given: unknown, subject: Found) {
  return refusal(mostTelling(issues), given, subject)
}

/**
 * A misspelt key causes two problems, because it is missing under its right name, too. Only the spelling is reported.
 */
function mostTelling(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  return issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]!
}

function refusal(issue: z.core.$ZodIssue, given: unknown, { whole, keys, page, locate }: Found) {
  const where = issue.path.join('.') || whole
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!
    const known =
      issue.path.length === 0 ? `; ${whole === 'the profile' ? 'a profile' : whole} has ${keys.join(', ')}` : ''
    return badProfile(
      locate([...issue.path, key]),
      [`Expected ${where === 'the profile' ? 'a profile' : where} without the key "${key}", got it.`],
      `Remove it or correct its spelling${known}.`,
    )
  }
  if (issue.code === 'invalid_key') {
    const map = issue.path.slice(0, -1).join('.')
    return badProfile(
      locate(issue.path),
      [`${map}: Expected ${expectation(issue.issues[0]!)}, got ${describe(issue.path.at(-1))}.`],
      `Correct that name in ${map}.`,
    )
  }
  const got = describe(valueAt(given, issue.path))
  return badProfile(
    locate(issue.path),
    [`${where}: Expected ${expectation(issue)}, got ${got}.`],
    `Correct ${where}; ${page} lists every key.`,
  )
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return article(issue.expected)
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(' or ')
    case 'invalid_union':
      return 'one of closed, constant, ramp, spike, soak, herd, mixed, search'
    case 'too_small':
      if (issue.origin === 'string') return 'some text'
      return `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${issue.origin === 'array' ? ' entry' : ''}`
    case 'too_big':
      return `at most ${issue.maximum}`
    default:
      return issue.message
  }
}

const article = (noun: string) =>
  ({ record: 'a map', object: 'a map', array: 'a list', int: 'a whole number' })[noun] ?? `a ${noun}`

function describe(value: unknown): string {
  return value === undefined || value === null ? 'nothing' : JSON.stringify(value)
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], root)
}
