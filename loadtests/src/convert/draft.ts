import type { Values } from '../profile/experiment.ts'
import { atPath, mergeValues } from '../shared/values.ts'

/** The Secret that takes what their values, or a Secret of theirs, held in text. */
export const movedSecret = 'n8n-moved'

/** Something to know of one of their values. */
export interface Note {
  path: string
  text: string
}

/** What a conversion has come to so far: our values, and what they cannot say. */
export class Draft {
  values: Values = {}
  /** Variables whose text is to be in the moved Secret, and where it is now. No secret is ever among the values. */
  readonly secrets = new Map<string, 'environment' | 'folder'>()
  /** Where n8n was told that it is reached. */
  readonly address = { host: '', protocol: 'http' }
  /** What is another way from now on. */
  readonly changed: Note[] = []
  /** What the user has to do by hand. */
  readonly left: Note[] = []

  set(path: string, value: unknown): void {
    this.values = mergeValues(this.values, atPath(path, value))
  }

  get(path: string): unknown {
    return at(this.values, path)
  }

  /** Something that is now another way, or is left to the user; once, wherever it comes from. */
  note(kind: 'changed' | 'left', path: string, text: string): void {
    if (!this[kind].some((note) => note.text === text)) this[kind].push({ path, text })
  }

  setSecret(path: string, variable: string, now: 'environment' | 'folder' = 'environment'): void {
    this.secrets.set(variable, now)
    this.set(path, { name: movedSecret, key: variable })
  }
}

/** What stands at `database.host`, or nothing. */
export function at(values: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (isMap(inner) ? inner[key] : undefined), values)
}

export function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Nothing was said: what is left out needs no translation. */
export function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return isMap(value) ? Object.values(value).every(isEmpty) : value === undefined || value === null || value === ''
}
