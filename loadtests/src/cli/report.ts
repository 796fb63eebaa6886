import { join, relative } from 'node:path'
import type { Command } from 'commander'
import { replicasFor } from '../judge/scaling.ts'
import { summarise } from '../judge/summarise.ts'
import type { Summary } from '../model/summary.ts'
import { askedFor } from '../report/another-objective.ts'
import { renderConsole } from '../report/render.ts'
import { whyRecommended } from '../report/recommended.ts'
import { noLawInWords } from '../report/scaling-words.ts'
import { worded } from '../report/worded.ts'
import { writeReport } from '../report/write.ts'
import { writeHistory } from '../report/history.ts'
import { nameOf, perSecond } from '../lib/figures.ts'
import { jsonOption, printJson } from './json.ts'
import { agree, bucketOf } from './reach.ts'
import { parseSlo, parseStore, positiveNumber } from './options.ts'
import type { Slo } from '../model/experiment.ts'
import type { RunRecord } from '../model/record.ts'
import { openStore } from '../lib/s3.ts'
import { fromRun, readRecords } from '../run/record-file.ts'
import { usage } from '../lib/errors.ts'

interface ReportOptions {
  json?: true
  rate?: number
  record?: string
  slo?: Partial<Slo>
  yes?: true
}

export function addReport(program: Command): void {
  program
    .command('report')
    .summary('write the report of a run anew')
    .description('Derives summary, report, CSV and values from a run’s raw record, also of a run that was cut short.')
    .argument('<dir...>', 'the run’s folder; several of them for runs over time, and any two compared')
    .option(
      '--rate <requests/s>',
      'which tier, or by the scaling law how many replicas, would sustain this?',
      positiveNumber,
    )
    .option('--slo <objective>', 'judge by another objective than the run, for example p99=1s', parseSlo)
    .option('--record <s3://bucket/prefix>', 'copy the run there', parseStore)
    .option('--yes', 'copy it without asking')
    .option(...jsonOption)
    .addHelpText(
      'after',
      '\nExample:\n  ./n8n-tuned report results/2026-11-20T09-30-00-quick\n  ./n8n-tuned report '
        + 'results/2026-11-20T09-30-00-workers --rate 200\n  ./n8n-tuned report results/2026-11-20T09-30-00-tiers '
        + '--rate 50\n  ./n8n-tuned report results/2026-11-20T09-30-00-quick --slo p99=1s\n  ./n8n-tuned '
        + 'report results/*',
    )
    .action(async (dirs: string[], { json, rate, record, slo, yes }: ReportOptions) => {
      const [dir = '', ...others] = dirs
      if (others.length) {
        refuseForSeveral({ json, rate, record, slo })
        const { page, words } = await fromRun(dirs.join(' and '), () => writeHistory(dirs, readRecords))
        return void process.stdout.write(`${words}\nRuns over time: ${relative('.', page)}\n`)
      }
      const store = record === undefined ? undefined : openStore(record)
      const records = await readRecords(dir)
      if (slo) await fromRun(dir, () => refuseUnknown(dir, slo, records))
      await agree(record === undefined ? [] : [bucketOf(record)], yes)
      await fromRun(dir, async () => {
        const judged = slo ? askedFor(slo, records) : records
        const summary = asked(summarise(judged), judged, rate)
        const values = valuesFor({ rate, slo })
        await writeReport(dir, summary, records, { values, keep: true })
        if (json) printJson(worded(summary))
        else
          process.stdout.write(
            `Report: ${relative('.', join(dir, 'report.html'))}\n${rate === undefined ? '' : needed(summary, rate)}`
              + `${renderConsole(summary, { color: process.stdout.hasColors?.() ?? false, values })}\n`,
          )
      })
      if (store) process.stderr.write(`Copied to ${await store.take(dir)}\n`)
    })
}

/** What is asked of a run later has values of its own. */
const valuesFor = ({ rate, slo = {} }: Pick<ReportOptions, 'rate' | 'slo'>): string | undefined => {
  const objectives = Object.entries(slo).map(([name, value]) => `${name}-${value}`)
  const asked = [...(rate === undefined ? [] : [`rate-${rate}`]), ...objectives]
  return asked.length === 0 ? undefined : `values-${asked.join('-')}.yaml`
}

function refuseForSeveral(options: Omit<ReportOptions, 'yes'>): void {
  const [name] = Object.entries(options).find(([, value]) => value !== undefined) ?? []
  if (name !== undefined)
    throw usage(
      'one-run-only',
      `--${name}: Expected one run, got several.`,
      `Leave --${name} out for runs over time, or name one run.`,
    )
}

/** Without a law of scaling, the recommendation has to sustain the rate. */
function asked(summary: Summary, records: RunRecord[], rate?: number): Summary {
  return rate === undefined || summary.scaling.length > 0 ? summary : summarise(records, { need: rate })
}

/** Runs of earlier versions have fewer percentiles; an objective without its percentile is not met. */
function refuseUnknown(dir: string, slo: Partial<Slo>, records: RunRecord[]): void {
  const lacks =
    slo['p99.9'] !== undefined
    && records.some(
      (record) => record.type === 'step' && record.load.latency && record.load.latency['p99.9'] === undefined,
    )
  if (lacks)
    throw usage(
      'not-in-record',
      `Expected ${dir} to say p99.9 of its answers, got a run of an earlier version, which does not.`,
      'Measure again, or ask for p95 or p99.',
    )
}

/** A line for each law of the run. */
function needed(summary: Summary, rate: number): string {
  const { scaling, recommendation } = summary
  if (scaling.length === 0) return recommendation ? `${whyRecommended(summary)}\n` : ''
  return scaling
    .map((one) => `${perSecond(rate)} of ${one.workflow}, ${nameOf(one)}: ${replicasIn(one, rate)}\n`)
    .join('')
}

function replicasIn({ law, peak, forecast = [], setting, noLaw }: Summary['scaling'][number], rate: number): string {
  if (!law) return noLawInWords(noLaw!)
  const found = replicasFor({ law, peak, forecast }, rate)
  if (found === 'none') return 'no number of replicas sustains it'
  if (found === null)
    return `it takes more than ${forecast.length}, which is twice what was measured: measure more replicas.`
  const sure = found.surely === null ? `more than ${forecast.length}` : found.surely
  return `${setting}: ${found.likely}${sure === found.likely ? '' : `, and ${sure} to be sure`}`
}
