import { lchown, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { User } from './images/image.ts'

/** Runs a command as another user. */
export const asUser = (user: User | null, argv: string[]) =>
  user ? ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', ...argv] : argv

/** Gives a folder and its content to the user; links keep their targets. */
export async function giveTo(user: User | null, folder: string): Promise<void> {
  if (!user) return
  await lchown(folder, user.uid, user.gid)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    await lchown(join(entry.parentPath, entry.name), user.uid, user.gid)
}
