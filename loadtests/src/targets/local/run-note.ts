import { appendFileSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { cacheFolder, makeOwnFolder, readOwnFile } from '../../lib/own-files.ts'
import { isAlive, startOf } from '../../lib/processes.ts'
import { runtimes } from './containers/runtime.ts'

/**
 * What a run makes outside its results, noted before it exists, so that the next run can remove it if this one is
 * killed. Only we can write the notes. They name no program: container runtimes come from a fixed list.
 */
const ownerLine = z.strictObject({
  owner: z.int().min(1),
  started: z.int().nullable(),
  host: z.string(),
  /** The boot, and the room in which process ids are unique. */
  boot: z.string(),
  room: z.string(),
})
const line = z.union([
  ownerLine,
  z.strictObject({ folder: z.string(), uid: z.int() }),
  z.strictObject({ group: z.int().min(2), started: z.int() }),
  z.strictObject({ containers: z.enum(runtimes), label: z.string() }),
])
type Line = z.infer<typeof line>

export interface NoteOf {
  file: string
  owner: z.infer<typeof ownerLine>
  folders: { folder: string; uid: number }[]
  groups: { group: number; started: number }[]
  containers: { containers: (typeof runtimes)[number]; label: string }[]
}

interface Note {
  add(line: Exclude<Line, { owner: number }>): void
  remove(): void
}

const notes = () => join(cacheFolder(), 'runs')

export function openNote(owner = process.pid): Note {
  const folder = notes()
  makeOwnFolder(folder)
  const file = join(folder, `${owner}-${Date.now()}-${Math.random().toString(36).slice(2, 10)}`)
  const first: Line = { owner, started: startOf(owner), host: hostname(), ...placeOf() }
  writeFileSync(file, `${JSON.stringify(first)}\n`, { flag: 'wx', mode: 0o600 })
  let removed = false
  return {
    add(more) {
      // Written at once, before anything else happens: what waits in a buffer would be lost with the process.
      if (!removed) appendFileSync(file, `${JSON.stringify(more)}\n`)
    },
    remove() {
      removed = true
      rmSync(file, { force: true })
    },
  }
}

/** Notes of the runs whose own process is gone. */
export function readLeftNotes(): NoteOf[] {
  makeOwnFolder(notes())
  return readdirSync(notes()).flatMap((name) => {
    const file = join(notes(), name)
    const text = readOwnFile(file)
    const note = text === null ? null : parse(file, text)
    return note && isGone(note.owner) ? [note] : []
  })
}

function parse(file: string, text: string): NoteOf | null {
  const lines = text.split('\n').flatMap(readLine)
  const owner = lines.find((one) => 'owner' in one)
  if (!owner) return null
  return {
    file,
    owner,
    folders: lines.filter((one) => 'folder' in one),
    groups: lines.filter((one) => 'group' in one),
    containers: lines.filter((one) => 'containers' in one),
  }
}

/** A run that was killed, or whose disk was full, may have left half a line. */
function readLine(text: string): Line[] {
  try {
    return [line.parse(JSON.parse(text))]
  } catch {
    return []
  }
}

/** Of a lab on another host, or in another container, nothing is known: it counts as running. */
function isGone({ owner, started, host, boot, room }: NoteOf['owner']): boolean {
  const here = placeOf()
  if (host !== hostname()) return false
  if (boot !== here.boot) return true
  if (room !== here.room) return false
  return started === null ? !isAlive(owner) : startOf(owner) !== started
}

/** Process ids mean something only within one boot, and in one container. */
export const isOfThisBoot = ({ boot, room }: NoteOf['owner']) => {
  const here = placeOf()
  return boot === here.boot && room === here.room
}

function placeOf(): { boot: string; room: string } {
  try {
    return {
      boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
      room: readlinkSync('/proc/self/ns/pid'),
    }
  } catch {
    // Where there is no /proc, as on macOS, a process id is all that there is.
    return { boot: '', room: '' }
  }
}
