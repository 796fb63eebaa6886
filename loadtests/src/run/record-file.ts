import { fstatSync, ftruncateSync, writeSync } from 'node:fs'
import { open, rm, truncate, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../lib/make-folder.ts'
import { diskFull, isDiskFull } from '../lib/disk.ts'
import { failure, LabError, usage, problemOf } from '../lib/errors.ts'
import { parseJson } from '../lib/json.ts'
import { printableIn } from '../lib/printable.ts'
import { openFile as openForReading } from '../lib/read.ts'
import { failProcess, type Fail } from '../lib/repeat.ts'
import { written } from '../secret/written.ts'
import { upgraded, type RunRecord } from '../model/record.ts'
import { rowOf, Samples, type SampleRow } from '../model/samples.ts'

const fileName = 'run.ndjson'

/** Writes down the events of a run as they happen, so that an interrupted run keeps all lines until then. */
export interface Recorder {
  dir: string
  /** What was recorded; the samples of a cell together, since there may be a million of them. */
  records: RunRecord[]
  add(record: RunRecord): void
  close(): Promise<void>
}

/** Is told every record, without its secrets. */
export type OnRecord = (record: RunRecord) => void

/** `fail` is told once if the disk takes no more. */
export async function openRecorder(dir: string, fail: Fail = failProcess, onRecord?: OnRecord): Promise<Recorder> {
  return recorderOn(dir, await openFile(dir, 'wx'), [], fail, onRecord)
}

/** Continues a run that was stopped. Forgets unfinished measurements, because they are repeated. */
export async function reopenRecorder(dir: string, fail: Fail = failProcess, onRecord?: OnRecord): Promise<Recorder> {
  let finished = 0
  await readLines(dir, ({ type }, end) => {
    if (type === 'visited' || type === 'calibration') finished = end
  })
  if (finished === 0) throw emptyRun(dir)
  await truncate(join(dir, fileName), finished)
  return recorderOn(dir, await openFile(dir, 'a'), await readRecords(dir), fail, onRecord)
}

function recorderOn(
  dir: string,
  file: FileHandle,
  earlier: RunRecord[],
  fail: Fail,
  onRecord: OnRecord = () => {},
): Recorder {
  const path = join(dir, fileName)
  const { records, add } = inMemory(earlier)
  const batches = new Map<number, SampleLine>()
  /** Lines that the disk has not taken. */
  const waiting: string[] = []
  let bytes = fstatSync(file.fd).size
  let failed = false

  function write(): void {
    while (waiting.length) {
      bytes += appendWhole(file.fd, Buffer.from(waiting[0]!), bytes)
      waiting.shift()
    }
  }

  function note(record: RunRecord): void {
    if (record.type !== 'sample') {
      flush()
      waiting.push(lineOf(record))
      return
    }
    const { cell, at } = record
    const batch = batches.get(cell)
    if (batch && Math.floor(batch.at / second) === Math.floor(at / second)) batch.rows.push(rowOf(record, batch.at))
    else {
      if (batch) waiting.push(lineOf(batch))
      batches.set(cell, { type: 'samples', cell, at, rows: [rowOf(record, at)] })
    }
  }

  /** What comes after samples is written after them. */
  function flush(): void {
    waiting.push(...[...batches.values()].map(lineOf))
    batches.clear()
  }

  return {
    dir,
    records,
    add(given) {
      const record = given.type === 'sample' ? given : written(given)
      add(record)
      note(record)
      onRecord(record)
      if (failed) return
      try {
        write()
      } catch (error) {
        failed = true
        fail(isDiskFull(error) ? diskFull(path) : unwritable(path, (error as Error).message))
      }
    },
    async close() {
      flush()
      try {
        // What was taken down in the meantime may have left room for the rest.
        write()
      } catch {
        // It was told, and the report of this run has all of its records.
      }
      await file.close()
      // Nothing is lost with an empty file, and the next run may have the same folder.
      if (bytes === 0) await rm(path, { force: true })
    },
  }
}

const second = 1000

const lineOf = (record: RunRecord | SampleLine) => `${JSON.stringify(record)}\n`

/** The samples of about a second, as they are written. */
interface SampleLine {
  type: 'samples'
  cell: number
  at: number
  rows: SampleRow[]
}

/** Takes records one by one, and keeps the samples of each opening of a cell together. */
function inMemory(earlier: RunRecord[] = []): {
  records: RunRecord[]
  add(record: RunRecord): void
  addLine(line: SampleLine): void
} {
  const records = [...earlier]
  const open = new Map<number, Samples>()
  const samplesOf = (cell: number, at: number): Samples => {
    const known = open.get(cell)
    if (known) return known
    const samples = new Samples()
    open.set(cell, samples)
    records.push({ type: 'samples', at, cell, samples })
    return samples
  }
  return {
    records,
    add(record) {
      if (record.type === 'sample') samplesOf(record.cell, record.at).add(record)
      else {
        if (record.type === 'cell') open.delete(record.cell)
        records.push(record)
      }
    },
    addLine({ cell, at, rows }) {
      const samples = samplesOf(cell, at)
      for (const row of rows) samples.addRow(row, at)
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
    makeFolder(dir)
    return await open(path, flags)
  } catch (error) {
    const { code, path: at } = error as NodeJS.ErrnoException
    throw code === 'EEXIST' && at === path ? holdsARun(dir) : unwritableFolder(dir, problemOf(error))
  }
}

export async function readRecords(dir: string): Promise<RunRecord[]> {
  const { records, add, addLine } = inMemory()
  await fromRun(dir, () =>
    readLines(dir, (line) => {
      if (line.type === 'samples') addLine(line as SampleLine)
      else add(upgraded(line))
    }),
  )
  return records
}

/** Line by line, each with the byte after it: a run of a day is longer than the longest string. */
async function readLines(dir: string, onLine: (line: { type: string }, end: number) => void): Promise<void> {
  const path = join(dir, fileName)
  const read = parserOf(dir, onLine)
  /** The beginning of a line whose end is yet to come. */
  let rest: Buffer[] = []
  let kept = 0
  for await (const chunk of bytesOf(dir)) {
    let begin = 0
    for (let end = chunk.indexOf(lineEnd); end !== -1; end = chunk.indexOf(lineEnd, begin)) {
      const line = Buffer.concat([...rest, chunk.subarray(begin, end)])
      read.line(line.toString(), line.length + 1)
      begin = end + 1
      rest = []
      kept = 0
    }
    rest.push(chunk.subarray(begin))
    kept += chunk.length - begin
    if (kept > longestLine) throw damagedRun(path, read.number())
  }
  if (kept > 0) read.line(Buffer.concat(rest).toString(), kept)
  else if (read.number() === 1) throw emptyRun(dir)
}

async function* bytesOf(dir: string): AsyncGenerator<Buffer> {
  const path = join(dir, fileName)
  try {
    const file = await openForReading(path)
    yield* file.createReadStream({ highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw code === 'ENOENT' || code === 'ENOTDIR' ? notARun(dir) : unreadable(path, code ?? message)
  }
}

const lineEnd = 10
/** Bytes: no record is as long. */
const longestLine = 64 * 2 ** 20

/** An interrupted run may end within a line. Any other line that is no record means damage. */
function parserOf(dir: string, onLine: (line: { type: string }, end: number) => void) {
  let number = 0
  let damaged = 0
  let end = 0
  return {
    number: () => number + 1,
    line(text: string, bytes: number) {
      number++
      end += bytes
      if (damaged) throw damagedRun(join(dir, fileName), damaged)
      const line = parsed(text)
      if (line && (number > 1 || line.type === 'run')) onLine(line, end)
      // Whatever else is in it, it is no run.
      else if (number === 1) throw emptyRun(dir)
      else damaged = number
    },
  }
}

/** Without what a terminal would take for commands. */
function parsed(text: string): { type: string } | null {
  try {
    const line = parseJson(text) as { type?: unknown } | null
    return typeof line?.type === 'string' ? (printableIn(line) as { type: string }) : null
  } catch {
    return null
  }
}

/** What is made of a run, whose record may be anybody's: where nothing can be made of it, the record is wrong. */
export async function fromRun<Made>(dir: string, make: () => Made | Promise<Made>): Promise<Made> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof LabError || isDiskFull(error)) throw error
    throw usage(
      'damaged-run',
      `Expected ${join(dir, fileName)} to hold the records of a run, got some that do not fit together: `
        + `${(error as Error).message}.`,
      'Restore the file. If nobody has changed it, please report this, with the file.',
    )
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
