import { chownSync, lstatSync, realpathSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { LabError } from '../../lib/errors.ts'
import { cannotMake, isOwnFolder, refuseWayTo, strange, us } from '../../lib/own-files.ts'
import { killNow, leftOf, startOf } from '../../lib/processes.ts'
import { type Runtime, removeContainers, removeContainersNow } from './containers/runtime.ts'
import type { User } from './images.ts'
import { isOfThisBoot, openNote, readLeftNotes, type NoteOf } from './run-note.ts'

const prefix = 'n8n-tuned-'

type Group = NoteOf['groups'][number]

/** This run's folder for everything that ends with it: volumes, sockets, files with secrets. */
export interface Scratch {
  path: string
  /** A folder beside it that only this user enters: nobody else passes through ours. */
  folderOf(user: User): Promise<string>
  /** Notes a process group, so that it ends with this run, or with the next one if this one is killed. */
  track(pid: number): void
  /** Notes the runtime of this run's containers for the same reason; returns the label for them. */
  labelFor(program: Runtime['program']): string
  remove(): Promise<void>
}

/** For sockets and short files: the user's own folder of this login, where there is one that is safe. */
const forSockets = (own = process.env.XDG_RUNTIME_DIR) => (own && isOwnFolder(own) ? own : tmpdir())
/** For data of databases, which belongs on a disk: the folder of a login is in memory. */
export const forData = () => tmpdir()

export async function makeScratch(parent = forSockets(), owner = process.pid): Promise<Scratch> {
  refuseFormerPlace()
  const note = openNote(owner)
  const folders: string[] = []
  const make = async (uid: number) => {
    const folder = await makeAnew(parent)
    folders.push(folder)
    note.add({ folder, uid })
    return folder
  }
  const groups: Group[] = []
  let containers: { program: Runtime['program']; label: string } | undefined
  // After a second signal to stop, there is no time to end processes in order.
  const endAll = () => {
    killNow(
      groups.filter((one) => startOf(one.group) === one.started || isLeft(one, folders)).map(({ group }) => group),
    )
    if (containers) removeContainersNow(containers.program, containers.label)
    try {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })
      note.remove()
    } catch {
      // Something that is still ending writes there. The note stays for the next run.
    }
  }
  const path = await make(us()).catch((error) => {
    note.remove()
    throw error
  })
  process.on('exit', endAll)
  return {
    path,
    async folderOf({ uid, gid }) {
      const folder = await make(uid)
      chownSync(folder, uid, gid)
      return folder
    },
    track(pid) {
      const started = startOf(pid)
      // It has ended already.
      if (started === null) return
      note.add({ group: pid, started })
      groups.push({ group: pid, started })
    },
    labelFor(program) {
      const label = `n8n-tuned=${path}`
      note.add({ containers: program, label })
      containers = { program, label }
      return label
    },
    async remove() {
      for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
      note.remove()
      process.off('exit', endAll)
    },
  }
}

/** Nobody could know its name before, and nobody else enters it (0700). */
async function makeAnew(parent: string): Promise<string> {
  try {
    refuseWayTo(parent)
    return await mkdtemp(join(realpathSync(parent), prefix))
  } catch (error) {
    throw error instanceof LabError ? error : cannotMake(join(parent, `${prefix}…`), error, 'TMPDIR')
  }
}

/** Earlier versions kept everything here, under a name that anybody could foresee. It is a trap if it is not ours. */
function refuseFormerPlace(): void {
  const uid = us()
  const path = join(tmpdir(), `${prefix}${uid}`)
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat && stat.uid !== uid)
    throw strange(`Expected nobody else to have made ${path}, found it to be of user ${stat.uid}`, path)
}

/** Ends what earlier runs left behind, if their own process is gone. */
export async function sweepScratch(): Promise<void> {
  for (const note of readLeftNotes()) {
    for (const { containers, label } of note.containers) await removeContainers(containers, label)
    const folders = note.folders.map(({ folder }) => folder)
    const users = note.folders.map(({ uid }) => uid)
    const left = isOfThisBoot(note.owner) ? note.groups.filter((one) => isLeft(one, folders, users)) : []
    killNow(left.map(({ group }) => group))
    for (const one of note.folders.filter(isAsNoted))
      await rm(one.folder, { recursive: true, force: true, maxRetries: 5 })
    await rm(note.file, { force: true })
  }
}

/**
 * By now, the group's number may belong to other processes. It is ours while its leader is the process that we started,
 * or without a leader; and one of it names our folders, or stands in one.
 */
function isLeft({ group, started }: Group, folders: string[], others: number[] = []): boolean {
  if (![null, started].includes(startOf(group))) return false
  const said = leftOf(group, new Set([us(), ...others]))
  return said.some((text) => folders.some((folder) => text.includes(folder)))
}

/** The folder that was noted, and not one that somebody else made at its place. */
function isAsNoted({ folder, uid }: NoteOf['folders'][number]): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  return (
    stat !== undefined && stat.isDirectory() && basename(folder).startsWith(prefix) && [uid, us()].includes(stat.uid)
  )
}
