import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and those on the way to it, unless they are there. Node's own `recursive` tries for ever, deaf to
 * signals, where a folder is there and takes no other, as /proc does.
 */
export function makeFolder(path: string, mode?: number): void {
  const whole = resolve(path)
  const isThere = () => statSync(whole, { throwIfNoEntry: false })?.isDirectory()
  if (isThere()) return
  if (!existsSync(dirname(whole))) makeFolder(dirname(whole), mode)
  try {
    mkdirSync(whole, mode)
  } catch (error) {
    // Somebody else has made it meanwhile.
    if (!isThere()) throw error
  }
}
