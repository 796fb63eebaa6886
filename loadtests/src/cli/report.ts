import { join, relative } from 'node:path'
import type { Command } from 'commander'
import { replicasFor } from '../analyse/scaling.ts'
import type { Summary } from '../analyse/summary.ts'
import { summarise } from '../analyse/summarise.ts'
import { nameOf, rate as perSecond } from '../figures.ts'
import { readRecords } from '../record/ndjson.ts'
import { openStore } from '../record/s3.ts'
import { renderConsole } from '../report/console.ts'
import { writeReport } from '../report/write.ts'
import { parseStore, positiveNumber } from './options.ts'

export function addReport(program: Command): void {
  program
    .command('report')
    .summary('write the report of a run anew')
    .description('Derives summary, report, CSV and values from a run’s raw record, also of a run that was cut short.')
    .argument('<dir>', 'the run’s folder')
    .option('--rate <requests/s>', 'how many replicas would carry this, by the scaling law?', positiveNumber)
    .option('--record <s3://bucket/prefix>', 'copy the run there', parseStore)
    .option('--json', 'print summary.json instead of words')
    .addHelpText('after', '\nExample:\n  n8n-tuned report results/2026-11-20T09-30-00-quick\n  n8n-tuned report results/2026-11-20T09-30-00-workers --rate 200')
    .action(async (dir: string, { json, rate, record }: { json?: true; rate?: number; record?: string }) => {
      const store = record === undefined ? undefined : openStore(record)
      const records = await readRecords(dir)
      const summary = summarise(records)
      await writeReport(dir, summary, records)
      if (json) process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`)
      else process.stdout.write(`${renderConsole(summary, { color: process.stdout.hasColors?.() ?? false })}\nReport: ${relative('.', join(dir, 'report.html'))}\n${rate === undefined ? '' : needed(summary, rate)}`)
      if (store) process.stderr.write(`Copied to ${await store.take(dir)}\n`)
    })
}

/** A line for each law of the run. */
function needed({ scaling }: Summary, rate: number): string {
  if (scaling.length === 0) return `${perSecond(rate)}: no scaling law, since the run has no matrix over replicas.\n`
  return scaling.map(({ workflow, variant, cell, law, peak, setting, refused }) => {
    const replicas = law && replicasFor({ law, peak }, rate)
    const answer = refused ?? (replicas === null ? 'no number of replicas carries it' : `${setting}: ${replicas}`)
    return `${perSecond(rate)} of ${workflow}, ${nameOf({ variant, cell })}: ${answer}\n`
  }).join('')
}
