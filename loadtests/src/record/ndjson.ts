import { createWriteStream } from 'node:fs'
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
  await mkdir(dir, { recursive: true })
  const file = createWriteStream(join(dir, fileName), { flags: 'wx' })
  await once(file, 'open')
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

export async function readRecords(dir: string): Promise<RunRecord[]> {
  const path = join(dir, fileName)
  const text = await readFile(path, 'utf8').catch(() => {
    throw errors.notARun(dir)
  })
  return parseRecords(text, path)
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
