import type { Values } from '../profile/experiment.ts'
import { at, type Draft } from './draft.ts'
import type { Rules } from './rules.ts'

/** Where n8n comes from: what becomes of each of its values, and where its data is. */
export interface Source {
  /** As its users know it. */
  called: string
  /** Defaults of theirs that mean something else than ours. */
  defaults: Values
  rules: Rules
  /** What precedes a command that is to run in the container of the n8n that runs there. */
  inside(all: Values, release: string): string
  /** The claim of n8n's folder; null where it is in no volume. */
  claim(all: Values, release: string): string | null
  /** Where no rule alone can tell. */
  finish?(draft: Draft, all: Values, release: string): void
}

/** What its values do not say. */
export interface Given {
  /** Of the release of theirs: its objects are named by it. */
  release: string
  /** The n8n that runs there, where the values say none or one that moves. */
  tag?: string
}

/** The name that all three charts derive alike. */
export function fullname(all: Values, release: string): string {
  const name = String(at(all, 'nameOverride') || 'n8n')
  const full = release.includes(name) ? release : `${release}-${name}`
  return String(at(all, 'fullnameOverride') || full)
    .slice(0, 63)
    .replace(/-$/, '')
}

export const kubectl = (workload: string): string => `kubectl exec ${workload} --`
