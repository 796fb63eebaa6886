import { usage } from '../lib/errors.ts'
import { isMap, mergeValues } from '../lib/values.ts'
import { Account, withoutKeys, type Leaf } from './account.ts'
import { completeValues } from './complete.ts'
import { Draft, type Note, type Whereabouts } from './draft.ts'
import { Key } from './key.ts'
import { drop, type Rule } from './rules.ts'
import type { BesideValues, Source } from './source.ts'
import type { Around } from './read/wrapping.ts'
import type { Values } from '../model/experiment.ts'

export interface Converted {
  values: Values
  /** Variables that go into the moved Secret, and where their text is now. */
  secrets: Map<string, Whereabouts>
  /** What works differently from now on. */
  changes: Note[]
  /** What the user has to do, beside the keys that were refused. */
  todos: Note[]
  /** What became of each key of theirs. */
  account: Account
  /** Keys of theirs that no rule knows. */
  open: Leaf[]
  /** The beginning of a command that runs in the container of the present n8n. */
  inside: string
}

/** Their values as ours, with everything that values cannot express. */
export function convert(source: Source, theirs: Values, given: BesideValues, around?: Around): Converted {
  const outer = around && { [around.name]: around.layer.values }
  const account = new Account({ ...outer, ...theirs })
  const kept = withoutDropped({ ...outer, ...theirs }, given, account)
  const { [around?.name ?? '']: object, ...own } = kept
  const all = mergeValues(source.defaults, own)
  const draft = new Draft(account)
  apply(source, all, draft)
  around?.take(new Key(around.name, object, draft, all))
  source.finish?.(draft, all, given.release)
  completeValues(draft, source, all, given)
  const values = inOrder(draft.values)
  const { secrets, changes, todos } = draft
  const inside = source.inside(all, given.release)
  return { values, secrets, changes, todos, account, open: account.open(values), inside }
}

/** Keys at the top that begin with `_` or `x-` are anchors of the author, which YAML repeats elsewhere. */
const anchor = drop('An anchor: what repeats it is counted where it stands.')

/** Applies to each key its own rule, or that of the nearest map around it, in the order of the rules. */
function apply({ rules }: Source, all: Values, draft: Draft): void {
  const paths = Object.keys(rules)
  const found: { key: Key; rule: Rule; place: number }[] = []
  const visit = (key: Key, around: string | undefined) => {
    const own = Object.hasOwn(rules, key.path) ? key.path : around
    if (isMap(key.value) && paths.some((path) => path.startsWith(`${key.path}.`)))
      for (const inner of key.each()) visit(inner, own)
    else if (own !== undefined) found.push({ key, rule: rules[own]!, place: paths.indexOf(own) })
  }
  for (const [name, value] of Object.entries(all)) {
    const key = new Key(name, value, draft, all)
    if (/^(_|x-)/.test(name)) anchor(key)
    else visit(key, undefined)
  }
  for (const { key, rule } of found.sort((one, other) => one.place - other.place)) rule(key)
}

/** Their values without the keys that the user leaves out, and without what does not run. */
function withoutDropped(theirs: Values, { drop = [], idle = new Map() }: BesideValues, account: Account): Values {
  const missing = new Set(drop)
  const kept = withoutKeys(theirs, [...drop, ...idle.keys()], (path) => {
    missing.delete(path)
    account.decide(path, { is: 'dropped', why: idle.get(path) ?? 'You left it out, with --drop.' })
  })
  if (missing.size > 0)
    throw usage(
      'nothing-to-drop',
      `--drop: Expected keys of that file, found none at ${[...missing].join(', ')}.`,
      'Write a key as it is printed, such as services.n8n.labels[0].',
    )
  return kept
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
