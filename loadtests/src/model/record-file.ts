import { createReadStream, fstatSync, ftruncateSync, writeSync } from 'node:fs'
import { mkdir, open, rm, truncate, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { diskFull, isDiskFull } from '../lib/disk.ts'
import { failure, LabError, usage } from '../lib/errors.ts'
import { failProcess, type Fail } from '../lib/fail.ts'
import { written } from '../secret/written.ts'
import { upgraded, type RunRecord } from './record.ts'

const fileName = 'run.ndjson'

/** Writes down the events of a run as they happen, so that an interrupted run keeps all lines until then. */
export interface Recorder {
  dir: string
  records: RunRecord[]
  add(record: RunRecord): void
  close(): Promise<void>
}

/** `fail` is told once if the disk takes no more. */
export async function openRecorder(dir: string, fail: Fail = failProcess): Promise<Recorder> {
  return recorderOn(dir, await openFile(dir, 'wx'), [], fail)
}

/** Continues a run that was stopped. Forgets unfinished measurements, because they are repeated. */
export async function reopenRecorder(dir: string, fail: Fail = failProcess): Promise<Recorder> {
  const records = await readRecords(dir)
  const kept = records.slice(0, 1 + records.findLastIndex(({ type }) => type === 'visited' || type === 'calibration'))
  if (kept.length === 0) throw emptyRun(dir)
  await truncate(
    join(dir, fileName),
    kept.reduce((bytes, record) => bytes + Buffer.byteLength(line(record)), 0),
  )
  return recorderOn(dir, await openFile(dir, 'a'), kept, fail)
}

const line = (record: RunRecord) => `${JSON.stringify(record)}\n`

function recorderOn(dir: string, file: FileHandle, records: RunRecord[], fail: Fail): Recorder {
  const path = join(dir, fileName)
  let onDisk = records.length
  let bytes = fstatSync(file.fd).size
  let failed = false

  /** Writes what is not written yet. */
  function write(): void {
    for (const record of records.slice(onDisk)) {
      bytes += appendWhole(file.fd, Buffer.from(line(record)), bytes)
      onDisk++
    }
  }

  return {
    dir,
    records,
    add(given) {
      records.push(written(given))
      if (failed) return
      try {
        write()
      } catch (error) {
        failed = true
        fail(isDiskFull(error) ? diskFull(path) : unwritable(path, (error as Error).message))
      }
    },
    async close() {
      try {
        // What was taken down in the meantime may have left room for the rest.
        if (failed) write()
      } catch {
        // It was told, and the report of this run has all of its records.
      }
      await file.close()
      // Nothing is lost with an empty file, and the next run may have the same folder.
      if (bytes === 0) await rm(path, { force: true })
    },
  }
}

/**
 * Written synchronously: the line survives even if the lab dies in the next moment, and using a thread would cost more
 * than the write. A disk takes as much as it has room for before it says that it is full. Half a line is taken back:
 * with another line behind it, it would be damage.
 */
function appendWhole(fd: number, content: Buffer, before: number): number {
  try {
    for (let at = 0; at < content.length;) at += writeSync(fd, content, at)
  } catch (error) {
    ftruncateSync(fd, before)
    throw error
  }
  return content.length
}

async function openFile(dir: string, flags: 'wx' | 'a'): Promise<FileHandle> {
  const path = join(dir, fileName)
  try {
    await mkdir(dir, { recursive: true })
    return await open(path, flags)
  } catch (error) {
    const { code = 'unknown', path: at } = error as NodeJS.ErrnoException
    throw code === 'EEXIST' && at === path ? holdsARun(dir) : unwritableFolder(dir, code)
  }
}

/** Line by line: a run of a day is longer than the longest string. */
export async function readRecords(dir: string): Promise<RunRecord[]> {
  const path = join(dir, fileName)
  const records: RunRecord[] = []
  const read = parserOf(path, (record) => void records.push(record))
  let rest = ''
  try {
    for await (const chunk of createReadStream(path, 'utf8')) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()!
      for (const each of lines) read(each)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined || error instanceof LabError) throw error
    throw code === 'ENOENT' || code === 'ENOTDIR' ? notARun(dir) : unreadable(path, code)
  }
  read(rest)
  if (records[0]?.type !== 'run') throw emptyRun(dir)
  return records
}

/** An interrupted run may end within a line. Any other line that is no record means damage. */
function parserOf(path: string, onRecord: (record: RunRecord) => void): (line: string) => void {
  let number = 0
  let damaged = 0
  return (text) => {
    number++
    if (text === '') return
    if (damaged) throw damagedRun(path, damaged)
    try {
      onRecord(upgraded(JSON.parse(text)))
    } catch {
      damaged = number
    }
  }
}

const notARun = (dir: string) =>
  usage('not-a-run', `Expected ${dir} to hold a run.ndjson, found none.`, 'Name a folder under results/.')

const emptyRun = (dir: string) =>
  usage(
    'not-a-run',
    `Expected ${dir} to hold a run.ndjson that begins with the run’s own record, got none.`,
    'The run ended before anything was measured: run it again.',
  )

const holdsARun = (dir: string) =>
  usage(
    'holds-a-run',
    `Expected --out to name a folder without a run, got ${dir}, which holds one.`,
    'Name another folder, or remove that one.',
  )

const unwritableFolder = (dir: string, reason: string) =>
  usage(
    'unwritable-folder',
    `Expected --out to name a folder to write to, got ${dir}: ${reason}.`,
    'Name another folder.',
  )

const unwritable = (path: string, reason: string) =>
  failure(
    'unwritable',
    `Expected to write to ${path}, got: ${reason}. What was written before is kept.`,
    'Look at that disk, or name another folder with --out.',
  )

const unreadable = (path: string, reason: string) =>
  usage('unreadable', `Expected to read ${path}, got: ${reason}.`, 'Look at its permissions and its disk.')

const damagedRun = (path: string, line: number) =>
  usage(
    'damaged-run',
    `${path}:${line}: Expected a JSON record, got something else.`,
    'Only the last line of an interrupted run may be cut short; restore the file.',
  )
