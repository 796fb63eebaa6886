import { z } from 'zod'
import { isMap, valueAt } from '../lib/values.ts'
import { isEmpty } from './values.ts'
import type { Values } from '../model/experiment.ts'

/** What became of a key of the given file. */
export const Outcome = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('mapped'), to: z.array(z.string()) }),
  z.strictObject({ is: z.literal('dropped'), why: z.string() }),
  z
    .strictObject({ is: z.literal('refused'), why: z.string() })
    .describe('No value of ours says it: the user has to do something.'),
])
export type Outcome = z.infer<typeof Outcome>

/** A value of the given file that contains no other. */
export interface Leaf {
  path: string
  /** The same path, as the YAML parser takes it. */
  keys: (string | number)[]
  isEmpty: boolean
  /** The variable that an entry of a list is about. */
  variable: string | undefined
}

/** What was decided for one key, and for all leaves below it. */
export interface Row {
  path: string
  leaves: Leaf[]
  outcome: Outcome
}

const strength = { dropped: 0, mapped: 1, refused: 2 }

/** Every key of the given file, and what became of it. A key that nobody decided on stays open. */
export class Account {
  readonly leaves: Leaf[]
  readonly #decided = new Map<Leaf, { by: string; outcome: Outcome }>()

  constructor(theirs: Values) {
    this.leaves = leavesOf(theirs)
  }

  /** Of several decisions on one leaf the one that says most remains: refused, then mapped, then dropped. */
  decide(path: string, outcome: Outcome): void {
    for (const leaf of this.leaves) {
      if (!isWithin(leaf.path, path)) continue
      const before = this.#decided.get(leaf)
      if (before?.outcome.is === 'mapped' && outcome.is === 'mapped') {
        before.outcome = { is: 'mapped', to: [...new Set([...before.outcome.to, ...outcome.to])] }
      } else if (!before || strength[outcome.is] > strength[before.outcome.is]) {
        this.#decided.set(leaf, { by: path, outcome })
      }
    }
  }

  /** Values of ours that are gone again: what led to them alone is dropped. */
  withdraw(ours: string, why: string, except?: string): void {
    for (const decided of this.#decided.values()) {
      const { outcome, by } = decided
      if (outcome.is !== 'mapped' || (except !== undefined && isWithin(by, except))) continue
      const to = outcome.to.filter((path) => !isWithin(path, ours))
      if (to.length < outcome.to.length) decided.outcome = to.length > 0 ? { is: 'mapped', to } : { is: 'dropped', why }
    }
  }

  /** A value of ours that has another place. */
  redirect(from: string, to: string): void {
    for (const { outcome } of this.#decided.values())
      if (outcome.is === 'mapped')
        outcome.to = [
          ...new Set(outcome.to.map((path) => (isWithin(path, from) ? to + path.slice(from.length) : path))),
        ]
  }

  /** What is open at the end. A key that was mapped to a value that is not there is open too. */
  open(ours: Values): Leaf[] {
    return this.leaves.filter((leaf) => {
      const outcome = this.#decided.get(leaf)?.outcome
      if (!outcome) return !leaf.isEmpty
      return outcome.is === 'mapped' && outcome.to.every((path) => valueAt(ours, path) === undefined)
    })
  }

  /** In the order of the file. */
  rows(): Row[] {
    const rows = new Map<string, Row>()
    for (const leaf of this.leaves) {
      const { by = leaf.path, outcome = empty } = this.#decided.get(leaf) ?? {}
      const id = JSON.stringify([by, outcome])
      rows.set(id, { path: by, outcome, leaves: [...(rows.get(id)?.leaves ?? []), leaf] })
    }
    return [...rows.values()]
  }
}

const empty: Outcome = { is: 'dropped', why: 'It has no value.' }

/** Whether a path is another, or below it. */
export function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}.`) || path.startsWith(`${other}[`)
}

export const childOf = (path: string, key: string | number): string =>
  typeof key === 'number' ? `${path}[${key}]` : path ? `${path}.${key}` : key

/** The values without some of their keys; `left` is told each that was there. */
export function withoutKeys(values: Values, drop: string[], left: (path: string) => void = () => {}): Values {
  const kept = (value: unknown, path: string): unknown => {
    const stays = (key: string | number) => {
      const inner = childOf(path, key)
      if (!drop.includes(inner)) return true
      left(inner)
      return false
    }
    if (Array.isArray(value))
      return value.flatMap((entry, index) => (stays(index) ? [kept(entry, childOf(path, index))] : []))
    if (!isMap(value)) return value
    const inside = Object.entries(value).filter(([key]) => stays(key))
    return Object.fromEntries(inside.map(([key, inner]) => [key, kept(inner, childOf(path, key))]))
  }
  return kept(values, '') as Values
}

function leavesOf(value: unknown, path = '', keys: (string | number)[] = []): Leaf[] {
  const inside = Array.isArray(value) ? [...value.entries()] : isMap(value) ? Object.entries(value) : []
  if (inside.length === 0)
    return path ? [{ path, keys, isEmpty: isEmpty(value), variable: variableIn(value, path) }] : []
  return inside.flatMap(([key, inner]) => leavesOf(inner, childOf(path, key), [...keys, key]))
}

/** Of `NAME=text`, and of `{ name: NAME }`. */
function variableIn(value: unknown, path: string): string | undefined {
  if (typeof value !== 'string') return undefined
  return path.endsWith('].name') ? value : path.endsWith(']') ? /^(\w+)=/.exec(value)?.[1] : undefined
}
