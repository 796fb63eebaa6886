import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../command.ts'

/**
 * Every file of a folder with its content but those of `own`, where the lab may write, and the names in the folders
 * around. Before and after, they are the same.
 */
export function seenAround(folder: string, own: string): string[] {
  const walk = (path: string): string[] => {
    if (path === own) return []
    const stat = lstatSync(path)
    if (stat.isSymbolicLink()) return [`${path} → ${readlinkSync(path)}`]
    if (!stat.isDirectory())
      return [`${path} ${stat.mode} ${createHash('sha1').update(readFileSync(path)).digest('hex')}`]
    return [
      `${path}/`,
      ...readdirSync(path)
        .sort()
        .flatMap((name) => walk(join(path, name))),
    ]
  }
  // Other tests make folders of their own in the temporary one.
  const listed = (path: string) =>
    readdirSync(path)
      .filter((name) => path !== tmpdir() || !/^(n8n-tuned|haste|jest|node-|v8-|tsx|bash_jobs)/i.test(name))
      .map((name) => `${path}/${name}`)
  return [...walk(folder), ...[root, '/', homedir()].flatMap(listed)]
}

/** What is new, or gone; empty where nothing changed. */
export function changesIn(before: string[], after: string[]): string {
  if (after.join('\n') === before.join('\n')) return ''
  return after.filter((line) => !before.includes(line)).join(', ') || 'a file is gone'
}
