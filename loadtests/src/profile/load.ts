import { readFile } from 'node:fs/promises'
import { LineCounter, parseDocument, type Document } from 'yaml'
import type { z } from 'zod'
import { errors, type Place } from '../errors.ts'
import type { Experiment } from './experiment.ts'
import { profileSchema } from './schema.ts'
import { syntaxError } from './yaml.ts'

/** A profile with the means to say where in its file something stands. */
export interface Profile {
  experiment: Experiment
  /** What is sent to each of its workflows, as it was given: never recorded, since there may be secrets in it. */
  requests: unknown[]
  locate(path: Path): Place
  has(path: Path): boolean
}

type Path = readonly PropertyKey[]

export async function loadProfile(file: string): Promise<Profile> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw errors.unreadableFile(file, error.code ?? error.message)
  })
  return parseProfile(text, file)
}

export function parseProfile(text: string, file: string): Profile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const locate = (path: Path): Place => ({ file, line: lineOf(document, lines, path) })
  const syntax = syntaxError(document)
  if (syntax) throw errors.badProfile({ file, line: syntax.line }, [`Expected YAML, got: ${syntax.text}`], 'Correct the syntax at that line.')
  const given: unknown = document.toJS()
  const parsed = profileSchema.safeParse(given)
  if (!parsed.success) throw refusal(mostTelling(parsed.error.issues), given, locate)
  const { variants, workflows, ...rest } = parsed.data
  const named = Object.entries(variants).map(([name, values]) => ({ name, values }))
  return {
    experiment: { ...rest, workflows: workflows.map(({ workflow }) => workflow), variants: named.length ? named : [{ name: rest.name, values: {} }] },
    requests: workflows.map(({ request }) => request),
    locate,
    has: (path) => document.hasIn(path),
  }
}

/** A misspelt key is missing under its right name too: the spelling is what to mend. */
function mostTelling(issues: z.core.$ZodIssue[]): z.core.$ZodIssue {
  return issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]!
}

/** One clear sentence for one problem: mending them in order beats a list that repeats itself. */
function refusal(issue: z.core.$ZodIssue, given: unknown, locate: (path: Path) => Place) {
  const at = issue.path.join('.') || 'the profile'
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!
    return errors.badProfile(locate([...issue.path, key]), [`Expected ${at === 'the profile' ? 'a profile' : at} without the key "${key}", got it.`], `Remove it or correct its spelling${knownKeys(issue.path)}.`)
  }
  if (issue.code === 'invalid_key') {
    const map = issue.path.slice(0, -1).join('.')
    return errors.badProfile(locate(issue.path), [`${map}: Expected ${expectation(issue.issues[0]!)}, got ${describe(issue.path.at(-1))}.`], `Correct that name in ${map}.`)
  }
  const got = describe(valueAt(given, issue.path))
  return errors.badProfile(locate(issue.path), [`${at}: Expected ${expectation(issue)}, got ${got}.`], `Correct ${at}; docs/profiles.md lists every key.`)
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

const article = (noun: string) => ({ record: 'a map', object: 'a map', array: 'a list', int: 'a whole number' })[noun] ?? `a ${noun}`

function knownKeys(path: Path): string {
  if (path.length === 0) return `; a profile has ${Object.keys(profileSchema.shape).join(', ')}`
  return ''
}

function describe(value: unknown): string {
  return value === undefined || value === null ? 'nothing' : JSON.stringify(value)
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], root)
}

/** The line of the deepest part of the path that the file has. */
function lineOf(document: Document, lines: LineCounter, path: Path): number | null {
  for (let depth = path.length; depth > 0; depth--) {
    const offset = offsetOf(document, path.slice(0, depth))
    if (offset !== undefined) return lines.linePos(offset).line
  }
  return document.contents ? 1 : null
}

/** A key's own position, so that an error points at the key and not at the value below it. */
function offsetOf(document: Document, path: Path): number | undefined {
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents
  const key = path.at(-1)
  const items = (parent as { items?: unknown[] } | null)?.items
  const pair = items?.find((item) => (item as { key?: { value?: unknown } }).key?.value === key) as { key: { range?: number[] } } | undefined
  if (pair) return pair.key.range?.[0]
  const node = document.getIn(path, true) as { range?: number[] } | undefined
  return node?.range?.[0]
}
