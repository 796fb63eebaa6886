import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import { alertFilesOf, isOurs, withMonitoring } from '../chart/alerts.ts'
import { manifests } from '../chart/render.ts'
import { LabError, problemOf, usage } from '../lib/errors.ts'
import { makeFolder } from '../lib/make-folder.ts'
import { readText } from '../lib/read.ts'
import { mergeValues } from '../lib/values.ts'
import type { Values } from '../model/experiment.ts'
import { writeWhole } from '../report/write.ts'
import { refusedAt } from '../run/cells.ts'
import { commandLine } from '../secret/arguments.ts'
import { jsonOption, printJson } from './json.ts'
import { collect, setValue } from './options.ts'
import { givenValues } from './prepare.ts'

interface AlertsOptions {
  values: string[]
  set: Values
  out: string
  json?: true
}

export const AlertsAnswer = z
  .strictObject({
    files: z.array(z.string()).describe('What was written.'),
    alerts: z.array(z.string()).describe('The alerts in it.'),
    left: z.array(z.string()).describe('Alerts of the chart that need a cluster, and are not in it.'),
  })
  .describe('Alert rules and a dashboard as files.')
type AlertsAnswer = z.infer<typeof AlertsAnswer>

export function addAlerts(program: Command): void {
  program
    .command('alerts')
    .summary('alert rules and a dashboard as files, for Compose and PM2')
    .description(
      'Writes the alert rules and the dashboard of the chart as files for a Prometheus and a Grafana outside of a '
        + 'cluster, and what Prometheus has to scrape. It starts nothing.',
    )
    .option('--values <file>', 'Helm values; repeatable', collect, [])
    .option('--set <key=value>', 'one Helm value; repeatable', setValue, {})
    .option('--out <dir>', 'where they go', 'alerts')
    .option(...jsonOption)
    .addHelpText('after', '\nExample:\n  ./n8n-tuned alerts --values my-values.yaml --out prometheus/n8n')
    .action(async ({ values, set, out, json }: AlertsOptions) => {
      const given = await givenValues({ values, set })
      const rendered = await manifests(mergeValues(given, withMonitoring)).catch(refusedAt('--values, --set'))
      const { files, alerts, left } = alertFilesOf(rendered, commandLine(process.argv.slice(2)))
      const written = await writeInto(out, files)
      if (json) return printJson({ files: written, alerts, left } satisfies AlertsAnswer)
      process.stdout.write(
        `${alerts.length} alerts, the dashboard and what to scrape: ${written.join(', ')}\n`
          + (left.length ? `Left out, since they need a cluster: ${left.join(', ')}.\n` : ''),
      )
    })
}

async function writeInto(out: string, files: Record<string, string>): Promise<string[]> {
  try {
    makeFolder(out)
    for (const file of Object.keys(files).map((name) => join(out, name)))
      if (existsSync(file) && !isOurs(await readText(file)))
        throw usage(
          'not-ours',
          `Expected --out to name a folder for files of ours, got ${out}, in which ${file} is somebody else's.`,
          'Name another folder. Nothing was written.',
        )
    for (const [name, content] of Object.entries(files)) await writeWhole(join(out, name), content)
  } catch (error) {
    if (error instanceof LabError) throw error
    throw usage(
      'unwritable-folder',
      `Expected --out to name a folder to write to, got ${out}: ${problemOf(error)}.`,
      'Name another folder.',
    )
  }
  return Object.keys(files).map((name) => relative('.', join(out, name)))
}
