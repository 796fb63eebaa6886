import { join, relative } from 'node:path'
import type { Command } from 'commander'
import { summarise } from '../analyse/summarise.ts'
import { readRecords } from '../record/ndjson.ts'
import { renderConsole } from '../report/console.ts'
import { writeReport } from '../report/write.ts'

export function addReport(program: Command): void {
  program
    .command('report')
    .summary('write the report of a run anew')
    .description('Derives summary, report, CSV and values from a run’s raw record, also of a run that was cut short.')
    .argument('<dir>', 'the run’s folder')
    .option('--json', 'print summary.json instead of words')
    .addHelpText('after', '\nExample:\n  n8n-tuned report results/2026-11-20T09-30-00-quick')
    .action(async (dir: string, { json }: { json?: true }) => {
      const records = await readRecords(dir)
      const summary = summarise(records)
      await writeReport(dir, summary, records)
      if (json) process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`)
      else process.stdout.write(`${renderConsole(summary, { color: process.stdout.hasColors?.() ?? false })}\nReport: ${relative('.', join(dir, 'report.html'))}\n`)
    })
}
