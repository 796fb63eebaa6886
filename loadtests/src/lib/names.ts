import { createHash } from 'node:crypto'
import { isAbsolute, normalize } from 'node:path/posix'
import { usage } from './errors.ts'

/**
 * Names that come from outside: of workflows, values, servers, recordings. Here they become a file's name, or are
 * refused. Nothing else puts a name that the lab did not make into a path.
 */

/** As n8n makes them: what it stores has 36 letters at most. */
const id = /^[A-Za-z0-9_-]{1,36}$/

/** The id of a workflow. What is none gets another in its place, always the same, so that links to it still hold. */
export function idOf(given: unknown): string {
  const text = String(given)
  return id.test(text) && text !== '__proto__' ? text : stableId(text)
}

/** Only digits, which every release of n8n accepts. */
export const stableId = (text: string): string =>
  String(100_000_000 + (createHash('sha256').update(text).digest().readUInt32BE() % 900_000_000))

/** Longer names are cut: a file's name has 255 bytes at most, and a table has its width. */
const longest = 80

/** A name in lower-case letters, digits and dashes, as reports and profiles have them. */
export const slug = (name: string): string =>
  name
    .slice(0, 1000)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replace(/^-|-$/g, '') || 'workflow'

/** A file's name, the same for the same text and another for another. Most names stay as they are. */
export function fileName(text: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/.test(text) && text.length <= 2 * longest && text !== '__proto__') return text
  return `_${text.slice(0, longest).replace(/[^A-Za-z0-9_-]/g, '_')}-${stableId(text)}`
}

/** A name that Kubernetes takes for a volume, a container or a claim: it has no slash, and begins with no dot. */
export function kubernetesName(given: unknown, what: string): string {
  const text = String(given)
  if (/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(text) && text.length <= 253) return text
  throw refused(`the name of ${what}`, 'letters, digits and dashes, as Kubernetes takes them', text)
}

/** Where a volume is mounted: an absolute path without `..`. */
export function mountPath(given: unknown, what: string): string {
  const text = String(given)
  const plain =
    isAbsolute(text) && isPlain(text) && !text.includes(':') ? normalize(text).replace(/(?<=.)\/$/, '') : '/'
  if (plain !== '/') return plain
  throw refused(`the mount path of ${what}`, 'an absolute path below / without ".." and ":"', text)
}

/** A path within a volume, relative and without `..`. */
export function pathWithin(given: unknown, what: string): string {
  const text = String(given)
  if (!isAbsolute(text) && isPlain(text)) return normalize(text)
  throw refused(`a path of ${what}`, 'a relative path without ".."', text)
}

/** Control characters have no place in a path, and a path has 4,096 bytes at most. */
const isPlain = (path: string): boolean =>
  path.length > 0
  && path.length < 2000
  && !/\p{Cc}/u.test(path)
  && path.split('/').every((part) => part !== '..' && part.length < 200)

const refused = (what: string, expected: string, got: string) =>
  usage(
    'unsafe-name',
    `Expected ${what} to be ${expected}, got ${JSON.stringify(got.slice(0, longest))}.`,
    'Correct it where it is given: the lab makes files and folders of these names.',
  )
