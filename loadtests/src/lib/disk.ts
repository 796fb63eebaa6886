import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { failure, invalid, type LabError } from './errors.ts'
import { figure, memory } from './figures.ts'

const codes = new Set(['ENOSPC', 'EDQUOT'])

/** Whether a write failed because nothing more fits. */
export const isDiskFull = (error: unknown): error is NodeJS.ErrnoException =>
  codes.has((error as NodeJS.ErrnoException | null)?.code ?? '')

export function diskFull(path: string): LabError {
  const room = roomAt(path)
  return failure(
    'disk-full',
    `There is no room left for ${path}${room ? ` (${inWords(room.free)} of ${inWords(room.size)} are free)` : ''}: `
      + 'the command has ended.',
    'Free some space there, or use another disk: --out names the folder of the run, and TMPDIR the one for what n8n '
      + 'stores meanwhile.',
  )
}

const inWords = (bytes: number) => (bytes < 10 * 2 ** 20 ? `${figure(bytes / 1024)} KiB` : memory(bytes))

/** Throws where so many bytes do not fit, before any of them is written. */
export function refuseWithoutRoom(path: string | undefined, bytes: number, what: string): void {
  const room = path === undefined ? null : roomAt(path)
  if (!room || room.free >= bytes + leastFree) return
  throw invalid(
    'no-room',
    `Expected room for ${what}, about ${inWords(bytes)}, got ${inWords(room.free)} in ${path}.`,
    'Free some space there, ask for less, or name another disk with TMPDIR.',
  )
}

/** PostgreSQL writes its journal in files of this size, and stops when the next one does not fit. */
const leastFree = 16 * 2 ** 20

/** Throws where the programs of a plan find no room: what they then fail at says nothing about n8n. */
export function refuseFullDisk(path: string | undefined): void {
  const room = path === undefined ? null : roomAt(path)
  if (room && room.free < leastFree) throw diskFull(path!)
}

/** Bytes; null where the folder is gone. Root may use what a file system keeps back from others. */
function roomAt(path: string): { free: number; size: number } | null {
  try {
    const { bsize, blocks, bavail, bfree } = statfsSync(existsSync(path) ? path : dirname(path))
    return { free: bsize * (process.getuid?.() === 0 ? bfree : bavail), size: bsize * blocks }
  } catch {
    return null
  }
}
