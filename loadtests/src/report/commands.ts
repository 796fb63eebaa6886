import { relative } from 'node:path'
import { typed } from '../lib/paths.ts'
import { shellWord } from '../lib/shell.ts'
import type { Environment } from '../model/environment.ts'

/** Commands as a reader types them: in the clone's folder, or with the installed package anywhere. */

/** Where the files of a run are, as seen from there. */
export function fromRoot(dir: string): string {
  const path = relative(typed.folder, dir)
  return path.startsWith('..') ? dir : path
}

/**
 * Changes the release that the lab saw in the cluster, or else installs one. Without `--reset-then-reuse-values` an
 * upgrade forgets the values that the release has.
 */
export function installing(file: string, { release }: Pick<Environment, 'release'>): string {
  const of = release
    ? `${release.name} ${typed.chart} --namespace ${release.namespace}`
    : `n8n-tuned ${typed.chart} --namespace n8n --create-namespace`
  return `helm upgrade --install ${of} --reset-then-reuse-values --values ${shellWord(file)}`
}

export const asking = (folder: string, rate: number): string =>
  `${typed.lab} report ${shellWord(folder)} --rate ${rate}`

/**
 * The record holds the command as its program knows it. In a clone that is `./n8n-tuned`; `npx` would run whatever a
 * registry has under the name.
 */
export const again = (command: string): string => command.replace(/^n8n-tuned /, `${typed.lab} `)
