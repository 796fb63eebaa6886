import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { errors } from '../errors.ts'
import type { RunRecord } from './records.ts'

const fileName = 'run.ndjson'

/** Where a run writes down what happens, as it happens: whatever ends it, the lines until then are kept. */
export interface Recorder {
  dir: string
  records: RunRecord[]
  add(record: RunRecord): void
  close(): Promise<void>
}

export async function openRecorder(dir: string): Promise<Recorder> {
  const file = await openFile(dir)
  const records: RunRecord[] = []
  return {
    dir,
    records,
    add(record) {
      records.push(record)
      file.write(`${JSON.stringify(record)}\n`)
    },
    async close() {
      file.end()
      await once(file, 'close')
    },
  }
}

async function openFile(dir: string): Promise<WriteStream> {
  const path = join(dir, fileName)
  try {
    await mkdir(dir, { recursive: true })
    const file = createWriteStream(path, { flags: 'wx' })
    await once(file, 'open')
    return file
  } catch (error) {
    const { code = 'unknown', path: at } = error as NodeJS.ErrnoException
    throw code === 'EEXIST' && at === path ? errors.holdsARun(dir) : errors.unwritableFolder(dir, code)
  }
}

export async function readRecords(dir: string): Promise<RunRecord[]> {
  const path = join(dir, fileName)
  const text = await readFile(path, 'utf8').catch(() => {
    throw errors.notARun(dir)
  })
  const records = parseRecords(text, path)
  if (records[0]?.type !== 'run') throw errors.emptyRun(dir)
  return records
}

/** A run that was cut short may end within a line; anything else that is no record is damage. */
export function parseRecords(text: string, path: string): RunRecord[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    if (line === '') return []
    try {
      return [JSON.parse(line) as RunRecord]
    } catch {
      if (index === lines.length - 1) return []
      throw errors.damagedRun(path, index + 1)
    }
  })
}
