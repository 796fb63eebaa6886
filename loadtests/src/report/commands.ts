import { join, relative } from 'node:path'
import { root } from '../lib/paths.ts'
import { shellWord } from '../lib/shell.ts'
import type { Environment } from '../model/environment.ts'

/** Commands as a reader types them in the repository's folder. */

/** Where the files of a run are, as seen from there. */
export function fromRoot(dir: string): string {
  const path = relative(root, dir)
  return path.startsWith('..') ? dir : path
}

/**
 * Changes the release that the lab saw in the cluster, or else installs one. Without `--reset-then-reuse-values` an
 * upgrade forgets the values that the release has.
 */
export function installing(folder: string, { release }: Pick<Environment, 'release'>): string {
  const of = release
    ? `${release.name} charts/n8n-tuned --namespace ${release.namespace}`
    : 'n8n-tuned charts/n8n-tuned'
  return `helm upgrade --install ${of} --reset-then-reuse-values --values ${shellWord(join(folder, 'values.yaml'))}`
}

export const asking = (folder: string, rate: number): string => `./n8n-tuned report ${shellWord(folder)} --rate ${rate}`

/**
 * The record holds the command as its program knows it. In the repository's folder that is `./n8n-tuned`; `npx` would
 * run whatever a registry has under the name.
 */
export const again = (command: string): string => command.replace(/^n8n-tuned /, './$&')
