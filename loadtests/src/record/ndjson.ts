import { writeSync } from 'node:fs'
import { mkdir, open, readFile, truncate, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { written } from '../secret/written.ts'
import { recordErrors } from './errors.ts'
import type { RunRecord } from './records.ts'

const fileName = 'run.ndjson'

/** Writes down the events of a run as they happen, so that an interrupted run keeps all lines until then. */
export interface Recorder {
  dir: string
  records: RunRecord[]
  add(record: RunRecord): void
  close(): Promise<void>
}

export async function openRecorder(dir: string): Promise<Recorder> {
  return recorderOn(dir, await openFile(dir, 'wx'), [])
}

/** Continues a run that was stopped. Forgets unfinished measurements, because they are repeated. */
export async function reopenRecorder(dir: string): Promise<Recorder> {
  const records = await readRecords(dir)
  const kept = records.slice(0, 1 + records.findLastIndex(({ type }) => type === 'visited' || type === 'calibration'))
  if (kept.length === 0) throw recordErrors.emptyRun(dir)
  await truncate(
    join(dir, fileName),
    kept.reduce((bytes, record) => bytes + Buffer.byteLength(line(record)), 0),
  )
  return recorderOn(dir, await openFile(dir, 'a'), kept)
}

const line = (record: RunRecord) => `${JSON.stringify(record)}\n`

function recorderOn(dir: string, file: FileHandle, records: RunRecord[]): Recorder {
  return {
    dir,
    records,
    add(given) {
      const record = written(given)
      records.push(record)
      // Written synchronously: the line survives even if the lab dies in the next moment, and using a thread would cost
      // more than the write.
      writeSync(file.fd, line(record))
    },
    close: () => file.close(),
  }
}

async function openFile(dir: string, flags: 'wx' | 'a'): Promise<FileHandle> {
  const path = join(dir, fileName)
  try {
    await mkdir(dir, { recursive: true })
    return await open(path, flags)
  } catch (error) {
    const { code = 'unknown', path: at } = error as NodeJS.ErrnoException
    throw code === 'EEXIST' && at === path ? recordErrors.holdsARun(dir) : recordErrors.unwritableFolder(dir, code)
  }
}

export async function readRecords(dir: string): Promise<RunRecord[]> {
  const path = join(dir, fileName)
  const text = await readFile(path, 'utf8').catch(() => {
    throw recordErrors.notARun(dir)
  })
  const records = parseRecords(text, path)
  if (records[0]?.type !== 'run') throw recordErrors.emptyRun(dir)
  return records
}

/** An interrupted run may end within a line. Any other line that is no record means damage. */
export function parseRecords(text: string, path: string): RunRecord[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    if (line === '') return []
    try {
      return [JSON.parse(line) as RunRecord]
    } catch {
      if (index === lines.length - 1) return []
      throw recordErrors.damagedRun(path, index + 1)
    }
  })
}
