import { shellWord } from '../lib/shell.ts'
import { valueAt } from '../lib/values.ts'
import type { Draft } from './draft.ts'
import type { Layer } from './read/layer.ts'
import type { Rules } from './rules.ts'
import type { Values } from '../model/experiment.ts'

/** What n8n is moved from: the rules for its values, and where its data is. */
export interface Source {
  /** The name that its users know. */
  called: string
  /** Defaults of that chart whose meaning differs from ours. */
  defaults: Values
  /** A later rule goes before an earlier one, where both set the same value of ours. */
  rules: Rules
  /** The beginning of a command that runs in the container of the present n8n. */
  inside(all: Values, release: string): string
  /** The claim of n8n's folder; null if it is in no volume. */
  claim(all: Values, release: string): string | null
  /** Conversions that need more than one rule. */
  finish?(draft: Draft, all: Values, release: string): void
}

/** Reads files that are no values of a chart. */
export type Reader = (files: string[], asked: ReaderOptions) => Promise<ReadFiles>

export interface ReaderOptions {
  /** A file of variables, instead of the one beside the first. */
  env?: string | undefined
  /** Keys that the user leaves out. */
  drop: string[]
  /** Profiles that are active, beside those that the files name. */
  profiles: string[]
}

export interface ReadFiles extends Layer {
  /** Keys that do not run, and why. */
  idle?: Map<string, string>
}

/** What the values do not contain. */
export interface BesideValues {
  /** The name of the present release, from which its objects take their names. */
  release: string
  /** The version of the present n8n, if the values name none or one that changes. */
  tag?: string | undefined
  /** Keys of theirs that the user leaves out. */
  drop?: string[]
  /** Keys of theirs that do not run, and why. */
  idle?: Map<string, string> | undefined
}

/** The release's full name, which all three charts derive alike. */
export function fullname(all: Values, release: string): string {
  const name = String(valueAt(all, 'nameOverride') || 'n8n')
  const full = release.includes(name) ? release : `${release}-${name}`
  return String(valueAt(all, 'fullnameOverride') || full)
    .slice(0, 63)
    .replace(/-$/, '')
}

export const kubectlExec = (workload: string): string => `kubectl exec ${shellWord(workload)} --`
