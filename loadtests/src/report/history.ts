import { readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { historyOf } from '../judge/history.ts'
import { summarise } from '../judge/summarise.ts'
import { unreadable, usage, problemOf } from '../lib/errors.ts'
import { parseJson } from '../lib/json.ts'
import { printableIn } from '../lib/printable.ts'
import { readText } from '../lib/read.ts'
import { perSecond } from '../lib/figures.ts'
import type { Summary } from '../model/summary.ts'
import type { RunRecord } from '../model/record.ts'
import { markOf } from './answered.ts'
import { ownPage, printHistory } from './print/history.ts'
import { writeWhole } from './write.ts'

/** Runs side by side: `index.html` beside their folders, and its table in words. */

interface Run {
  dir: string
  summary: Summary
}

/** Of these folders, in the folder where the first of them is. */
export async function writeHistory(
  dirs: string[],
  records: (dir: string) => Promise<RunRecord[]>,
): Promise<{ page: string; words: string }> {
  const runs = await Promise.all(dirs.map(async (dir) => ({ dir, summary: await summaryIn(dir, records) })))
  return { page: await writePage(dirname(resolve(dirs[0]!)), runs), words: wordsOf(runs.map(({ summary }) => summary)) }
}

/** Of every run in a folder, after each of them. */
export async function writeIndex(folder: string): Promise<void> {
  const found = await readdir(folder, { withFileTypes: true })
  const dirs = found.filter((one) => one.isDirectory()).map(({ name }) => join(folder, name))
  const runs = await Promise.all(dirs.map(async (dir) => ({ dir, summary: await written(dir) })))
  const whole = runs.filter((run): run is Run => run.summary !== null)
  if (whole.length) await writePage(folder, whole)
}

async function writePage(folder: string, runs: Run[]): Promise<string> {
  const dirOf = new Map(runs.map(({ dir, summary }) => [summary.id, relative(folder, dir)]))
  const page = printHistory(historyOf(runs.map(({ summary }) => summary)), (id) => encodeURI(dirOf.get(id)!))
  const file = join(folder, 'index.html')
  await refuseOthersPage(file)
  return writeWhole(file, page)
}

/** A page of the same name that the lab did not write is somebody's own. */
async function refuseOthersPage(file: string): Promise<void> {
  const there = await readText(file).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? null : ''))
  if (there !== null && !there.includes(ownPage))
    throw usage(
      'not-ours',
      `Expected no ${file}, or one that n8n-tuned wrote, found another.`,
      'Move that page, or copy the runs’ folders elsewhere: the page of several runs comes beside the first.',
    )
}

async function summaryIn(dir: string, records: (dir: string) => Promise<RunRecord[]>): Promise<Summary> {
  return (await written(dir)) ?? summarise(await records(dir))
}

/** What was derived when the run ended; null where it is not there, or of another schema. */
async function written(dir: string): Promise<Summary | null> {
  const file = join(dir, 'summary.json')
  const text = await readText(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw unreadable(file, problemOf(error))
  })
  if (text === null) return null
  try {
    const summary = printableIn(parseJson(text)) as Summary | null
    return summary?.schema === 1 ? summary : null
  } catch {
    throw usage(
      'bad-summary',
      `Expected ${file} to be JSON, got something else.`,
      `Derive it anew: ./n8n-tuned report ${dir}`,
    )
  }
}

const rangeOf = ({ low, high }: { low: number; high: number | null }): string =>
  `${perSecond(low)} to ${high === null ? 'more' : perSecond(high)}`

function wordsOf(summaries: Summary[]): string {
  const rows = historyOf(summaries).runs.flatMap(({ id, found }) =>
    found.map(({ workflow, variant, release, capacity, answered }) => [
      id,
      workflow,
      variant,
      release ?? '–',
      markOf({ answered }).word,
      capacity ? perSecond(capacity.rate) : '–',
      capacity?.interval ? rangeOf(capacity.interval) : '',
    ]),
  )
  const table = [['Run', 'Workflow', 'Configuration', 'n8n', 'Answer', 'Throughput', 'Range'], ...rows]
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)))
  return table
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
