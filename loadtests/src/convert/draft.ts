import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { atPath, isMap, mergeValues, valueAt } from '../lib/values.ts'
import { Account } from './account.ts'
import { removeAt } from './values.ts'
import type { Values } from '../model/experiment.ts'

/** The Secret for values that their files, or their Secrets, held as text. */
export const movedSecret = 'n8n-moved'

/** Where the running n8n has a secret: its environment, the settings in its folder, or a file of JSON. */
export const Whereabouts = z.union([
  z.enum(['environment', 'folder']),
  z.strictObject({ file: z.string(), keys: z.array(z.string()) }),
])
export type Whereabouts = z.infer<typeof Whereabouts>

/** A note for the user about one value. */
export const Note = z.strictObject({ path: z.string(), text: z.string() })
export type Note = z.infer<typeof Note>

/** A key of theirs whose outcome depends on others. */
interface Undecided {
  value: unknown
  set(path: string, value: unknown): void
  leadsTo(path: string): void
  drop(why: string): void
}

/** The state of a conversion: our values, and what they cannot express. */
export class Draft {
  values: Values = {}
  /** Variables whose text must go into the moved Secret, and where it is now. The values never contain a secret. */
  readonly secrets = new Map<string, Whereabouts>()
  /** Secrets that n8n reads from files, which volumes may hold. */
  readonly files: { variable: string; role: string; file: string; path: string }[] = []
  /** Where they say the address under which n8n is reached. */
  address: { host?: Undecided; protocol?: Undecided } = {}
  /** What works differently from now on. */
  readonly changes: Note[] = []
  /** What the user has to do, beside the keys that were refused. */
  readonly todos: Note[] = []

  readonly account: Account

  constructor(account = new Account({})) {
    this.account = account
  }

  get(path: string): unknown {
    return valueAt(this.values, path)
  }

  /** Sets a value of ours. `by` is the key of theirs that says so; another one that said otherwise has no effect. */
  set(path: string, value: unknown, by?: string): void {
    const before = this.get(path)
    if (by && before !== undefined && !isMap(before) && !isDeepStrictEqual(before, value))
      this.account.withdraw(path, `Without effect: ${by} says otherwise, and goes before it.`, by)
    this.values = mergeValues(this.values, atPath(path, value))
    if (by) this.account.decide(by, { is: 'mapped', to: [path] })
  }

  /** Takes a value of ours back. */
  remove(path: string, why: string): void {
    removeAt(this.values, path)
    this.account.withdraw(path, why)
  }

  /** Moves a value of ours. */
  move(from: string, to: string, value = this.get(from)): void {
    removeAt(this.values, from)
    this.set(to, value)
    this.account.redirect(from, to)
  }

  /** Notes something that differs from now on. */
  change(path: string, text: string): void {
    if (!this.changes.some((change) => change.path === path && change.text === text)) this.changes.push({ path, text })
  }

  /** Notes something to do. */
  todo(path: string, text: string): void {
    this.todos.push({ path, text })
  }

  setSecret(path: string, variable: string, now: Whereabouts, by?: string): void {
    this.secrets.set(variable, now)
    this.set(path, { name: movedSecret, key: variable }, by)
  }
}
