import { relative, resolve } from 'node:path'
import { InvalidArgumentError, type Command } from 'commander'
import { fleetsOf } from '../judge/fleet/fleets.ts'
import { gather } from '../judge/gather.ts'
import { typed } from '../lib/paths.ts'
import { usage } from '../lib/errors.ts'
import { list } from '../lib/figures.ts'
import type { Price, Slo } from '../model/experiment.ts'
import type { RunRecord } from '../model/record.ts'
import type { FleetOf } from '../model/summary.ts'
import { planFor, planInWords, tableInWords } from '../report/fleet-plan.ts'
import { fleetValues } from '../report/fleet-values.ts'
import { writeWhole } from '../report/write.ts'
import { fromRun, readRecords } from '../run/record-file.ts'
import { pricesOf } from './opencost.ts'
import { agree } from './reach.ts'
import { parsePrice, parseSlo, parseUrl, positiveNumber } from './options.ts'

interface PlanOptions {
  rate?: number
  slo?: Partial<Slo>
  at?: number[]
  workflow?: string
  variant?: string
  price?: Partial<Price>
  opencost?: URL
  yes?: true
  write?: string
}

export function addPlan(program: Command): void {
  program
    .command('plan')
    .summary('the fleet that a rate needs, from a run in queue mode')
    .description(
      'Computes from a run how many workers and webhook processors a rate needs, with Redis and PostgreSQL, what '
        + 'breaks next and what would make the answer surer. Measures nothing.',
    )
    .argument('<dir...>', 'folders of runs of the same n8n, such as with one worker and with two')
    .option('--rate <requests/s>', 'to plan for', positiveNumber)
    .option('--slo <objective>', 'the p95 to meet, for example p95=1s (default: the run’s)', parseSlo)
    .option('--at <rates>', 'a table of several rates, for example 100,200,500,1000', parseRates)
    .option('--workflow <name>', 'of a run with several')
    .option('--variant <name>', 'of a run with several')
    .option('--price <price>', 'of a CPU and a GiB a month, for example cpu=23,memory=3', parsePrice)
    .option('--opencost <url>', 'read the prices from OpenCost: what the last 7 days cost', parseUrl)
    .option('--yes', 'read them without asking')
    .option('--write <file>', 'write Helm values for it')
    .addHelpText(
      'after',
      '\nExample:\n  ./n8n-tuned plan results/2026-11-20T09-30-00-queue-small --rate 500 --slo p95=1s\n'
        + '  ./n8n-tuned plan results/one results/two --at 100,200,500,1000 --price cpu=23,memory=3\n'
        + '  ./n8n-tuned plan results/one --rate 500 --write values.yaml',
    )
    .action(async (dirs: string[], options: PlanOptions) => {
      const rate = options.rate ?? options.at?.[0]
      if (rate === undefined)
        throw usage(
          'no-rate',
          'Expected a rate to plan for, got none.',
          'Give the requests a second with --rate, or several with --at 100,200,500.',
        )
      const runs = await Promise.all(dirs.map(readRecords))
      const { fleet, measured, p95, price, command } = await fromRun(dirs.join(' and '), () =>
        chosen(dirs, runs, options),
      )
      const read = options.opencost && (await pricesFrom(options.opencost, options.yes))
      const wanted = {
        rate,
        p95: (options.slo?.p95 ?? p95) / 1000,
        price: { ...price, ...read, ...options.price },
      }
      const planned = planFor(fleet, wanted)
      process.stdout.write(planInWords(planned, command))
      if (options.at)
        process.stdout.write(`\n${tableInWords(options.at.map((each) => planFor(fleet, { ...wanted, rate: each })))}`)
      if (options.write === undefined) return
      const values = fleetValues(planned, measured)
      if (values === null)
        throw usage(
          'no-fleet',
          `Expected a fleet to write to ${options.write}, got none that meets the objective.`,
          'Allow more with --slo, or plan for less with --rate.',
        )
      const file = await writeWhole(resolve(options.write), values)
      process.stdout.write(`Helm values: ${relative('.', file)}\n`)
    })
}

async function pricesFrom(url: URL, yes?: true): Promise<Price> {
  const does = ['its costs of the last 7 days are read', 'nothing is written there']
  await agree([{ what: `the OpenCost at ${url.href} (--opencost)`, does }], yes)
  return pricesOf(url)
}

/** The one n8n of the runs that is asked about. */
function chosen(dirs: string[], runs: RunRecord[][], { workflow, variant }: PlanOptions) {
  const all = runs.flatMap((records) => gather(records))
  const wanted = (one: { workflow: string; variant: string }) =>
    (workflow === undefined || one.workflow === workflow) && (variant === undefined || one.variant === variant)
  const fleets = fleetsOf(all).filter(wanted)
  const [fleet] = fleets
  if (!fleet)
    throw usage(
      'no-fleet-in-run',
      `Expected ${list(dirs)} to hold steps that n8n kept up with in queue mode, with webhook processors and workers, `
        + `got none`
        + `${workflow === undefined && variant === undefined ? '' : ' of that workflow and variant'}.`,
      `Measure one: ${typed.lab} check --profile queue-small${workflow === undefined ? '' : ` --workflow ${workflow}`}`,
    )
  if (fleets.length > 1)
    throw usage(
      'several-fleets',
      `Expected one n8n under one workflow to plan for, got ${fleets.length}: ${list(fleets.map(nameOf))}.`,
      `Name one with --workflow ${fleet.workflow} --variant ${fleet.variant}.`,
    )
  const measured = all.findLast((one) => one.workflow === fleet.workflow && one.variant === fleet.variant)!.values
  const { command, experiment } = runs
    .flatMap((records) => records.flatMap((record) => (record.type === 'run' ? [record] : [])))
    .at(-1)!
  return { fleet, measured, p95: experiment.slo.p95, price: experiment.price, command }
}

const nameOf = ({ workflow, variant }: FleetOf) => `${workflow} (${variant})`

function parseRates(text: string): number[] {
  const rates = text.split(',').map(Number)
  if (rates.some((rate) => !(rate > 0)))
    throw new InvalidArgumentError(`Expected rates such as 100,200,500, got "${text}".`)
  return rates
}
