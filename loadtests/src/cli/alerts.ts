import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import { alertFilesOf, withMonitoring } from '../chart/alerts.ts'
import { manifests, ValuesRefused } from '../chart/render.ts'
import { problemOf, usage } from '../lib/errors.ts'
import { makeFolder } from '../lib/make-folder.ts'
import { mergeValues } from '../lib/values.ts'
import type { Values } from '../model/experiment.ts'
import { valuesRefused } from '../run/cells.ts'
import { commandLine } from '../secret/arguments.ts'
import { rememberValues } from '../secret/known.ts'
import { jsonOption, printJson } from './json.ts'
import { collect, setValue } from './options.ts'
import { readValuesFile } from './prepare.ts'

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
      const given = mergeValues(...(await Promise.all(values.map(readValuesFile))), set)
      rememberValues(given)
      const rendered = await manifests(mergeValues(given, withMonitoring)).catch((error: unknown) => {
        throw error instanceof ValuesRefused
          ? valuesRefused({ file: '--values, --set', line: null }, error.message)
          : error
      })
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
    for (const [name, content] of Object.entries(files)) await writeFile(join(out, name), content)
  } catch (error) {
    throw usage(
      'unwritable-folder',
      `Expected --out to name a folder to write to, got ${out}: ${problemOf(error)}.`,
      'Name another folder.',
    )
  }
  return Object.keys(files).map((name) => relative('.', join(out, name)))
}
