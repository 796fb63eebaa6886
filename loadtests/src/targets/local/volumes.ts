import { existsSync } from 'node:fs'
import { lchown, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../lib/make-folder.ts'
import type { Container, Volume } from '../../chart/plan.ts'
import { within } from '../../lib/own-tree.ts'
import type { User } from './images.ts'

/** Folders that stand for the pod's volumes. */
export async function makeVolumes(volumes: Volume[], folder: string): Promise<Map<string, string>> {
  const made = new Map<string, string>()
  for (const volume of volumes) {
    makeFolder(folder)
    const path = within(folder, volume.kind === 'claim' ? `claim-${volume.claim}` : volume.name)
    makeFolder(path)
    if (volume.kind === 'files') await writeFiles(path, volume.files)
    made.set(volume.name, path)
  }
  return made
}

/**
 * Builds a container's root: its mounts are links into the volumes. Outer mounts come first, because an inner one
 * (`/home/node/.n8n/nodes` in `/home/node/.n8n`) is a link inside the outer one's volume. If another container mounts
 * something else there, no link may be in its way.
 */
export async function makeRoot(
  container: Container,
  volumes: Map<string, string>,
  root: string,
  outerOnly = false,
): Promise<void> {
  makeFolder(root)
  for (const mount of [...container.mounts].sort((a, b) => a.path.length - b.path.length)) {
    const link = within(root, mount.path, volumes.values())
    const volume = volumes.get(mount.volume)!
    const source = mount.subPath === null ? volume : within(volume, mount.subPath, volumes.values())
    if (mount.subPath !== null && !existsSync(source)) makeFolder(source)
    if (outerOnly && container.mounts.some(({ path }) => mount.path.startsWith(`${path}/`))) continue
    makeFolder(dirname(link))
    await rm(link, { recursive: true, force: true })
    await symlink(source, link)
  }
}

async function writeFiles(folder: string, files: Record<string, Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = within(folder, path)
    makeFolder(dirname(file))
    // Refuses what is there already, also where that is a link.
    await writeFile(file, content, { mode: 0o600, flag: 'wx' })
  }
}

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
