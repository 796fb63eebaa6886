import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { failure } from './errors.ts'

/**
 * The path of something in a folder that the lab made. It is shown to lie there by its name, and by the links on the
 * way to it, which may lead into other folders that the lab made. Whatever is removed, linked or written under a name
 * from outside goes through here first.
 */
export function within(folder: string, name: string, others: Iterable<string> = []): string {
  const path = join(folder, name)
  const way = realpathOf(dirname(path))
  const reachable = [folder, ...others].some((own) => isBelow(way, realpathSync(own)))
  if (!reachable || !isBelow(resolve(path), resolve(folder)))
    throw failure(
      'outside-own-folder',
      `Expected to work only below ${folder}, got ${JSON.stringify(name)}. Nothing was changed.`,
    )
  return path
}

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}${sep}`)

/** Of the deepest folder on the way that is there: the rest is yet to be made. */
const realpathOf = (path: string): string =>
  lstatSync(path, { throwIfNoEntry: false }) ? realpathSync(path) : realpathOf(dirname(path))
