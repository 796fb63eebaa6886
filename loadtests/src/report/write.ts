import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, readlinkSync, statSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../lib/make-folder.ts'
import type { Summary } from '../model/summary.ts'
import { diskFull, isDiskFull } from '../lib/disk.ts'
import { usage, problemOf } from '../lib/errors.ts'
import { fromRoot } from './commands.ts'
import { renderCsv } from './csv.ts'
import { usualValues } from './page.ts'
import { renderHtml, renderMarkdown } from './render.ts'
import { seriesOf } from './series.ts'
import { renderValues } from './values.ts'
import { worded } from './worded.ts'
import type { RunRecord } from '../model/record.ts'

/**
 * Writes every output for a reader into the folder of a run; returns the paths. `keep`: values that are there stay what
 * they are, whatever is asked of the run later.
 */
export async function writeReport(
  dir: string,
  summary: Summary,
  records: RunRecord[],
  { values = usualValues, keep = false }: { values?: string; keep?: boolean } = {},
): Promise<string[]> {
  const series = seriesOf(records)
  const files: Record<string, string | Iterable<string>> = {
    [summaryFor(values)]: `${JSON.stringify(worded(summary), null, 2)}\n`,
    'report.html': renderHtml(summary, series, fromRoot(dir), values),
    'samples.csv': renderCsv(series),
    'report.md': renderMarkdown(summary, fromRoot(dir), values),
    ...(keep && existsSync(join(dir, values)) ? {} : { [values]: renderValues(summary, fromRoot(dir), values) }),
  }
  makeFolder(dir)
  const writing = Object.entries(files).map(([name, content]) => writeWhole(join(dir, name), content))
  await Promise.allSettled(writing)
  return Promise.all(writing)
}

/** What is asked of a run later changes nothing of what it found: that stays, for its history. */
const summaryFor = (values: string) => values.replace(/^values/, 'summary').replace(/yaml$/, 'json')

/** A reader sees the old file or the new one, never a part of it. */
export async function writeWhole(path: string, content: string | Iterable<string>, mode = 0o666): Promise<string> {
  // Of a name that nobody can have put there, and only if nobody has.
  const unfinished = `${path}.${randomUUID()}.tmp`
  refuseOther(path)
  try {
    await writeFile(unfinished, typeof content === 'string' ? content : inBlocks(content), { flag: 'wx', mode })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw isDiskFull(error) ? diskFull(path) : unwritten(path, error as NodeJS.ErrnoException)
  }
  return path
}

/** The new file takes its place: root would replace `/dev/null` by one, and a pipe would lose its reader. */
function refuseOther(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false })
  // `/dev/stdout` is a link to what may be a file.
  const isStream = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() && /^\/proc\//.test(readlinkSync(path))
  if (!isStream && (!there || there.isFile() || there.isDirectory())) return
  throw usage(
    'unwritable-file',
    `Expected ${path} to be a file, or yet to be made, got a pipe or a device.`,
    'Name another file: what is written takes the place of what is there.',
  )
}

/** A folder in its place, or one that nobody may write to. */
const unwritten = (path: string, error: NodeJS.ErrnoException) =>
  error.code === undefined
    ? error
    : usage(
        'unwritable-file',
        `Expected to write ${path}, got ${problemOf(error)}.`,
        'Look at what is there, or its rights.',
      )

/** Bytes to hand to the disk at once. */
const block = 1 << 20

function* inBlocks(lines: Iterable<string>): Generator<string> {
  let text = ''
  for (const line of lines) {
    text += line
    if (text.length < block) continue
    yield text
    text = ''
  }
  yield text
}
