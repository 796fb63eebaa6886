import { existsSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { usage } from '../../lib/errors.ts'
import { documentsOf, type Layer } from './layer.ts'

/** How far above a file of GitOps its repository may begin. */
const levels = 6

/** A file or folder by its path in the repository of another file, which the repository may contain at any depth. */
export function inRepository(file: string, path: string): string | undefined {
  if (isAbsolute(path)) return undefined
  let folder = dirname(resolve(file))
  for (let level = 0; level < levels; level++, folder = dirname(folder)) {
    const found = resolve(folder, path)
    if (existsSync(found)) return found
  }
  return undefined
}

/** The values in a file that an object names. */
export async function valuesFile(found: string | undefined, { named, at, drop }: Named): Promise<Layer[]> {
  if (drop.includes(at)) return []
  if (/^https?:/.test(named))
    throw usage(
      'bad-source',
      `${at}: Expected a file in its repository, got an address, which convert does not fetch.`,
      `Fetch it, give it behind this file, and leave it out here: --drop ${at}.`,
    )
  if (found !== undefined && existsSync(found) && !/\.gotmpl$/.test(found)) return documentsOf(found)
  throw usage(
    'bad-source',
    /\.gotmpl$/.test(named)
      ? `${at}: Expected values, got a template of them, ${named}.`
      : `${at}: Expected the file ${named} in its repository, found none.`,
    /\.gotmpl$/.test(named)
      ? 'Convert what this prints: helmfile write-values --output-file-template n8n.yaml.'
      : `Put it there, or leave it out: --drop ${at}.`,
  )
}

interface Named {
  named: string
  /** The key that names it. */
  at: string
  /** Keys that the user leaves out. */
  drop: string[]
}
