import type { Values } from '../profile/experiment.ts'
import { mergeValues } from '../shared/values.ts'
import { complete } from './complete.ts'
import { Draft, isEmpty, isMap, type Note } from './draft.ts'
import { nothing, type Rule } from './rules.ts'
import type { Given, Source } from './source.ts'

export interface Converted {
  values: Values
  /** Variables that go into the moved Secret, and where their text is now. */
  secrets: Map<string, 'environment' | 'folder'>
  changed: Note[]
  left: Note[]
}

/** Their values as ours, with everything that values cannot express. */
export function convert(source: Source, theirs: Values, given: Given): Converted {
  const all = mergeValues(source.defaults, theirs)
  const draft = new Draft()
  walk(source, all, draft, all)
  source.finish?.(draft, all, given.release)
  complete(draft, source, all, given)
  return { values: inOrder(draft.values), secrets: draft.secrets, changed: draft.changed, left: draft.left }
}

/** Keys that begin with `_` or `x-` are anchors of the author, which YAML repeats elsewhere. */
const unknown: Rule = (value, draft, _all, path) => {
  if (isEmpty(value) || value === false || /^(_|x-)/.test(path)) return
  draft.note('left', path, 'No value of n8n-tuned says this; charts/n8n-tuned/VALUES.md lists those there are.')
}

/** Applies to each value its own rule, or that of the nearest map around it. */
function walk({ rules }: Source, values: Values, draft: Draft, all: Values): void {
  const paths = Object.keys(rules)
  const visit = (value: unknown, path: string, around: Rule) => {
    const inside = isMap(value) && paths.some((other) => other.startsWith(`${path}.`))
    const rule = rules[path] ?? around
    if (!inside) return rule(value, draft, all, path)
    if (rules[path] && rules[path] !== nothing) rule(value, draft, all, path)
    for (const [key, inner] of Object.entries(value)) visit(inner, `${path}.${key}`, rule)
  }
  for (const [key, value] of Object.entries(values)) visit(value, key, unknown)
}

const first = [
  'image',
  'executions',
  'role',
  'main',
  'worker',
  'webhook',
  'runner',
  'database',
  'redis',
  'persistence',
  'encryptionKey',
]

/** In the order of the chart’s values.yaml, where readers look for them. */
function inOrder(values: Values): Values {
  const keys = [...first.filter((key) => key in values), ...Object.keys(values).filter((key) => !first.includes(key))]
  return Object.fromEntries(keys.map((key) => [key, values[key]]))
}
