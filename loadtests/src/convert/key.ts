import { isMap } from '../lib/values.ts'
import { isDeepStrictEqual } from 'node:util'
import { childOf } from './account.ts'
import type { Draft, Whereabouts } from './draft.ts'
import { isEmpty } from './values.ts'
import type { Values } from '../model/experiment.ts'

/**
 * A key of the given file, as a rule reads it. A rule can write only through its key, which enters in the account what
 * became of it: so no rule can read a key and lose it.
 */
export class Key {
  readonly path: string
  readonly value: unknown
  readonly draft: Draft
  /** All of their values, with the defaults of their chart. */
  readonly all: Values
  /** The last part of its path. */
  readonly name: string

  constructor(path: string, value: unknown, draft: Draft, all: Values = {}, name = path) {
    this.path = path
    this.value = value
    this.draft = draft
    this.all = all
    this.name = name
  }

  at(name: string | number): Key {
    const inner = Array.isArray(this.value) || isMap(this.value) ? (this.value as Values)[name] : undefined
    return new Key(childOf(this.path, name), inner, this.draft, this.all, String(name))
  }

  /** The keys of a map, or the entries of a list. */
  each(): Key[] {
    if (Array.isArray(this.value)) return this.value.map((_, index) => this.at(index))
    return isMap(this.value) ? Object.keys(this.value).map((name) => this.at(name)) : []
  }

  get isEmpty(): boolean {
    return isEmpty(this.value)
  }

  /** The same, with another value. */
  as(value: unknown): Key {
    return new Key(this.path, value, this.draft, this.all, this.name)
  }

  set(path: string, value: unknown = this.value): void {
    this.draft.set(path, value, this.path)
  }

  /** Adds to a list of ours what is not in it. */
  add(path: string, ...entries: unknown[]): void {
    const before = (this.draft.get(path) ?? []) as unknown[]
    const others = entries.filter((entry) => !before.some((known) => isDeepStrictEqual(known, entry)))
    this.draft.set(path, [...before, ...others])
    this.leadsTo(path)
  }

  /** It leads to a value of ours that is set from all of theirs together. */
  leadsTo(path: string): void {
    this.draft.account.decide(this.path, { is: 'mapped', to: [path] })
  }

  setSecret(path: string, variable: string, now: Whereabouts = 'environment'): void {
    this.draft.setSecret(path, variable, now, this.path)
  }

  /** It says nothing that has to be said here, and why. */
  drop(why: string): void {
    this.draft.account.decide(this.path, { is: 'dropped', why })
  }

  /** It cannot be said here: what the user has to do. */
  refuse(why: string): void {
    this.draft.account.decide(this.path, { is: 'refused', why })
  }

  /** Notes what differs from now on. */
  change(text: string): void {
    this.draft.change(this.path, text)
  }
}
