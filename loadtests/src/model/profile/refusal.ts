import type { z } from 'zod'
import type { Location } from '../../lib/errors.ts'
import { profileErrors } from './errors.ts'
import type { Path } from './lines.ts'

/** What a file is, for sentences about it. */
export interface Subject {
  /** `the profile`. */
  whole: string
  /** The keys that it may have at its top. */
  keys: string[]
  /** The page that lists every key. */
  page: string
  locate(path: Path): Location
}

/**
 * One clear sentence for one problem: it is easier to correct problems one by one than to read a list that repeats
 * itself.
 */
export function refusalOf(issues: z.core.$ZodIssue[], given: unknown, subject: Subject) {
  return refusal(mostTelling(issues), given, subject)
}

/**
 * A misspelt key causes two problems, because it is missing under its right name, too. Only the spelling is reported.
 */
function mostTelling(issues: z.core.$ZodIssue[]): z.core.$ZodIssue {
  return issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]!
}

function refusal(issue: z.core.$ZodIssue, given: unknown, { whole, keys, page, locate }: Subject) {
  const at = issue.path.join('.') || whole
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!
    const known =
      issue.path.length === 0 ? `; ${whole === 'the profile' ? 'a profile' : whole} has ${keys.join(', ')}` : ''
    return profileErrors.badProfile(
      locate([...issue.path, key]),
      [`Expected ${at === 'the profile' ? 'a profile' : at} without the key "${key}", got it.`],
      `Remove it or correct its spelling${known}.`,
    )
  }
  if (issue.code === 'invalid_key') {
    const map = issue.path.slice(0, -1).join('.')
    return profileErrors.badProfile(
      locate(issue.path),
      [`${map}: Expected ${expectation(issue.issues[0]!)}, got ${describe(issue.path.at(-1))}.`],
      `Correct that name in ${map}.`,
    )
  }
  const got = describe(valueAt(given, issue.path))
  return profileErrors.badProfile(
    locate(issue.path),
    [`${at}: Expected ${expectation(issue)}, got ${got}.`],
    `Correct ${at}; ${page} lists every key.`,
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
