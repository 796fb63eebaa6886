import type { Values } from '../profile/experiment.ts'
import { atPath, mergeValues } from '../shared/values.ts'

/** The Secret for values that their files, or their Secrets, held as text. */
export const movedSecret = 'n8n-moved'

/** A note about one of their values. */
export interface Note {
  path: string
  text: string
}

/** The state of a conversion: our values, and what they cannot express. */
export class Draft {
  values: Values = {}
  /** Variables whose text must go into the moved Secret, and where it is now. The values never contain a secret. */
  readonly secrets = new Map<string, 'environment' | 'folder'>()
  /** The addresses under which n8n was reached. */
  readonly address = { host: '', protocol: 'http' }
  /** What works differently from now on. */
  readonly changed: Note[] = []
  /** What the user has to do by hand. */
  readonly left: Note[] = []

  set(path: string, value: unknown): void {
    this.values = mergeValues(this.values, atPath(path, value))
  }

  get(path: string): unknown {
    return at(this.values, path)
  }

  /** Notes a difference or a task for the user; once, even if several values cause it. */
  note(kind: 'changed' | 'left', path: string, text: string): void {
    if (!this[kind].some((note) => note.text === text)) this[kind].push({ path, text })
  }

  setSecret(path: string, variable: string, now: 'environment' | 'folder' = 'environment'): void {
    this.secrets.set(variable, now)
    this.set(path, { name: movedSecret, key: variable })
  }
}

/** The value at `database.host`, or nothing. */
export function at(values: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (isMap(inner) ? inner[key] : undefined), values)
}

export function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An empty value needs no translation. */
export function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return isMap(value) ? Object.values(value).every(isEmpty) : value === undefined || value === null || value === ''
}
