import { join, relative } from 'node:path'
import { root } from '../support/paths.ts'

/** Commands as a reader types them in the repository's folder. */

/** Where the files of a run are, as seen from there. */
export function fromRoot(dir: string): string {
  const path = relative(root, dir)
  return path.startsWith('..') ? dir : path
}

/** A folder of any name, for a shell. */
const word = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

export const installing = (folder: string): string =>
  `helm upgrade --install n8n-tuned charts/n8n-tuned --values ${word(join(folder, 'values.yaml'))}`

export const asking = (folder: string, rate: number): string => `npx n8n-tuned report ${word(folder)} --rate ${rate}`

/** The record holds the command as its program knows it; `npx` finds that program. */
export const again = (command: string): string => command.replace(/^n8n-tuned /, 'npx $&')
