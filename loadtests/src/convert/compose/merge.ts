import { isMap } from '../../lib/values.ts'
import { visit, type Document } from 'yaml'
import { nameValue } from '../../lib/name-value.ts'
import { isDeepStrictEqual } from 'node:util'
import { mountOf } from './services.ts'
import type { Values } from '../../model/experiment.ts'

/** Compose’s rules for one file over another: https://docs.docker.com/reference/compose-file/merge/ */

/** `!reset` takes away what the file below says, `!override` replaces it whole. By the path of the value. */
export type Tags = Map<string, string>

export function tagsIn(document: Document): Tags {
  const tags: Tags = new Map()
  visit(document, {
    Pair(_, { key, value }, path) {
      const tag = (value as { tag?: string } | null)?.tag
      if (tag !== '!reset' && tag !== '!override') return
      const keys = path.flatMap((node) => ('key' in node ? [String(node.key)] : []))
      tags.set([...keys, String(key)].join('.'), tag)
    },
  })
  return tags
}

/** Lists that a later file replaces. */
const replaced = new Set(['command', 'entrypoint', 'test'])
/** What a list and a map say alike, by names. */
const named = new Set(['environment', 'labels', 'annotations', 'sysctls', 'args', 'extra_hosts', 'driver_opts'])
/** Names in a list that a map says with more. */
const listed = new Set(['depends_on', 'networks'])

export function mergeCompose(below: unknown, above: unknown, tags: Tags = new Map(), path: string[] = []): unknown {
  const tag = tags.get(path.join('.'))
  if (tag === '!reset') return undefined
  const key = path.at(-1) ?? ''
  if (above === null || above === undefined) return below
  if (below === undefined || below === null || tag === '!override' || replaced.has(key)) return above
  if (Array.isArray(below) && Array.isArray(above)) return appended(below, above, key)
  if (named.has(key) || listed.has(key)) return { ...asMap(below, key), ...asMap(above, key) }
  if (Array.isArray(below) || Array.isArray(above)) return appended([below].flat(), [above].flat(), key)
  if (!isMap(below) || !isMap(above)) return above
  const both = Object.entries({ ...below, ...above }).map(([name]) => [
    name,
    mergeCompose(below[name], above[name], tags, [...path, name]),
  ])
  return Object.fromEntries(both.filter(([, value]) => value !== undefined)) as Values
}

function appended(below: unknown[], above: unknown[], key: string): unknown[] {
  const identity = (entry: unknown) => {
    if (key === 'volumes' || key === 'devices') return mountOf(entry).target
    if (named.has(key)) return nameValue(String(entry))[0]
    return isMap(entry) && (key === 'secrets' || key === 'configs') ? (entry.target ?? entry.source) : entry
  }
  const stay = below.filter((old) => !above.some((entry) => isDeepStrictEqual(identity(entry), identity(old))))
  return [...stay, ...above]
}

function asMap(value: unknown, key: string): Values {
  if (isMap(value)) return value
  const entries = [value].flat().map(String)
  if (listed.has(key)) return Object.fromEntries(entries.map((name) => [name, null]))
  return Object.fromEntries(
    entries
      .map((entry) => (key === 'extra_hosts' ? hostOf(entry) : nameValue(entry)))
      .map(([name, text]) => [name, text ?? null]),
  )
}

const hostOf = (entry: string): [string, string | undefined] => {
  const [, name = entry, address] = /^([^:=]+)[:=](.+)$/.exec(entry) ?? []
  return [name, address]
}
