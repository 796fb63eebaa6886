import { InvalidArgumentError, type Command } from 'commander'
import type { ExitCode } from '../lib/errors.ts'
import { jsonOption } from './json.ts'
import { parsePrice, parseSlo, parseUrl, positiveNumber } from './options.ts'
import { sizeFromRuns, type Asked } from './sizing.ts'

/** The earlier name of `size` with runs. */
export function addPlan(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('plan')
    .summary('the earlier name of size with runs')
    .description('The same as size with runs. It goes with the next release.')
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
    .option(...jsonOption)
    .action(async (dirs: string[], options: Asked) => end(await sizeFromRuns(dirs, options)))
}

export function parseRates(text: string): number[] {
  const rates = text.split(',').map(Number)
  if (rates.some((rate) => !(rate > 0)))
    throw new InvalidArgumentError(`Expected rates such as 100,200,500, got "${text}".`)
  return rates
}
