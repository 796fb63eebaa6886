import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { makeFolder } from './make-folder.ts'
import { usage, problemOf } from './errors.ts'

/**
 * Folders and files that nobody else can have made or changed. Other users of the machine may write into its temporary
 * folder, and root runs this lab: what somebody else put there must never be read, executed or ended.
 */

/** Where the project keeps what it installs: beside it, the lab notes its runs. */
export const cacheFolder = (env = process.env) =>
  env.N8N_TUNED_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-tuned')

/** Our user's number. A pod may give us one that no line of /etc/passwd names. */
export const us = () => process.getuid?.() ?? 0

/** Who may hold the folders above ours: root and we. In a user namespace the machine's root has another number. */
const isTrusted = (uid: number) => uid === 0 || uid === us() || uid === lstatSync('/').uid

const othersMayWrite = 0o022
const onlyOwnersRemove = 0o1000

/** A user's private group has the user's number; the group of root has root's. */
const isPrivateGroup = (gid: number) => gid === 0 || (gid === us() && gid === process.getgid?.())

function isOpen({ mode, gid }: Stats): boolean {
  const open = mode & othersMayWrite
  return (open & 0o002) !== 0 || (open !== 0 && !isPrivateGroup(gid))
}

/** Makes the folder, unless it is there. It is ours alone (0700), and so is the way to it. */
export function makeOwnFolder(path: string): void {
  try {
    makeFolder(path, 0o700)
  } catch (error) {
    throw cannotMake(path, error, 'N8N_TUNED_CACHE')
  }
  refuseStrange(path, 'folder')
  refuseWayTo(dirname(path))
  chmodSync(path, 0o700)
}

export const cannotMake = (path: string, error: unknown, variable: 'N8N_TUNED_CACHE' | 'TMPDIR') =>
  usage(
    'no-own-folder',
    `Expected to make the folder ${path}, got ${problemOf(error)}.`,
    `Set ${variable} to a folder that you can write.`,
  )

/** Refuses a file or folder that is not ours, that others may write, or that is a link. */
function refuseStrange(path: string, kind: 'folder' | 'file', stat = lstatSync(path)): void {
  if (stat.isSymbolicLink() || !(kind === 'folder' ? stat.isDirectory() : stat.isFile()))
    throw strange(
      `Expected ${path} to be a ${kind}, found ${stat.isSymbolicLink() ? 'a link' : 'something else'}`,
      path,
    )
  if (stat.uid !== us())
    throw strange(`Expected ${path} to be yours (user ${us()}), found it to be of user ${stat.uid}`, path)
  if (isOpen(stat)) throw strange(`Expected only you to write ${path}, found it open to others (${modeOf(stat)})`, path)
}

/** Refuses a place for our folders where somebody else can put another one in the place of ours. */
export function refuseWayTo(path: string): void {
  // A link on the way leads to another way: both have to hold.
  for (const folder of new Set([...wayTo(resolve(path)), ...wayTo(realpathSync(path))])) {
    const stat = lstatSync(folder)
    if (!isTrusted(stat.uid))
      throw strange(`Expected the folder ${folder} to be yours or root’s, found it to be of user ${stat.uid}`, folder)
    if (stat.isDirectory() && isOpen(stat) && !(stat.mode & onlyOwnersRemove) && !isVolumeOfPod(folder))
      throw strange(`Expected nobody else to write ${folder}, found it open to others (${modeOf(stat)})`, folder)
  }
}

/**
 * A volume that is mounted into a pod. With `fsGroup`, Kubernetes opens it to everybody (2777), but only containers of
 * this pod reach it.
 */
function isVolumeOfPod(folder: string): boolean {
  if (!process.env.KUBERNETES_SERVICE_HOST) return false
  const mounted = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
  return mounted.some((line) => line.split(' ')[4] === folder)
}

function wayTo(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [path] : [...wayTo(parent), path]
}

const modeOf = ({ mode }: Stats) => `mode ${(mode & 0o7777).toString(8).padStart(4, '0')}`

/** Somebody else may have put it there for us to find. */
export const strange = (problem: string, path: string) =>
  usage(
    'not-ours',
    `${problem}. Nothing in it was read or run.`,
    `Look at it with ls -ld '${path}', and remove it or correct its owner and mode; or set TMPDIR and N8N_TUNED_CACHE `
      + 'to folders that only you can write.',
  )

/** The text of a file that is ours alone; null if there is none. It follows no link. */
export function readOwnFile(path: string): string | null {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    if (code === 'ELOOP') throw strange(`Expected ${path} to be a file, found a link`, path)
    throw error
  }
  try {
    refuseStrange(path, 'file', fstatSync(file))
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Whether a folder is ours alone, and so is the way to it. */
export function isOwnFolder(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat?.isDirectory() || stat.uid !== us() || (stat.mode & 0o077) !== 0) return false
  try {
    refuseWayTo(dirname(path))
    return true
  } catch {
    return false
  }
}
