import { join } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import { saysQueueMode } from '../judge/fleet/fleets.ts'
import { mergeValues } from '../lib/values.ts'
import { cheapestCell, everyCell } from '../run/schedule.ts'
import { exitCodeOf } from '../judge/answer.ts'
import { refuseRunning } from './choose-target.ts'
import { printJson } from './json.ts'
import { measure } from './measure.ts'
import {
  among,
  examples,
  parsePrice,
  parseUrl,
  positiveNumber,
  withCommonOptions,
  type CommonOptions,
} from './options.ts'
import { parseRates } from './plan.ts'
import { hasPath, prepare, type Prepared } from './prepare.ts'
import { lasting } from './load.ts'
import { refuseOddRates, sizeFromRuns, SizedFromRuns, type Asked } from './sizing.ts'
import { speedHere } from './speed.ts'
import type { Experiment, Values } from '../model/experiment.ts'
import { arrivalsOf, weightsOf } from '../model/load.ts'
import { EstimateByKind, estimateInWords, estimateByKind } from '../report/fleet-kinds.ts'
import { exitCodes, type ExitCode, usage } from '../lib/errors.ts'
import { paths } from '../lib/paths.ts'

interface SizeOptions extends CommonOptions, Omit<Asked, 'workflow' | 'slo' | 'yes' | 'json'> {
  grid?: true
  cpuSpeed?: number
}

/** The seconds of the longest look at a cell, if the profile gives none. */
const seconds = 60
/** Where nobody says another. */
const usualP95 = 1000

/** Of a matrix it is the summary, as of check. */
export const SizeAnswer = z.union([EstimateByKind, SizedFromRuns])

export function addSize(program: Command, end: (code: ExitCode) => void): void {
  withCommonOptions(program.command('size').summary('the n8n that a rate needs: mode, workers, CPU, memory'), 'size')
    .description(
      'With a rate alone, estimates what kinds of workflow need, at once. With a workflow, measures what one execution '
        + 'takes in five minutes, and says which n8n sustains the rate. With runs, says it from them.',
    )
    .argument('[run...]', 'folders of runs that exist, of the same n8n; measures nothing')
    .addOption(among('first', '--rate <requests/s>', 'to size for').argParser(positiveNumber))
    .addOption(among('first', '--at <rates>', 'of runs, a table of several rates: 100,200,500').argParser(parseRates))
    .addOption(among('first', '--write <file>', 'write Helm values for it (of a workflow: values.yaml)'))
    .option('--variant <name>', 'of runs with several')
    .option('--cpu-speed <times>', 'as fast as one core of ours; without it, that of this machine', positiveNumber)
    .option('--price <price>', 'of a CPU and a GiB a month, for example cpu=23,memory=3', parsePrice)
    .option('--opencost <url>', 'of runs, read the prices from OpenCost: what the last 7 days cost', parseUrl)
    .option('--grid', 'measure every cell of the matrix of a profile instead, at full length')
    .addHelpText(
      'after',
      examples(
        ['an estimate, at once', 'size --rate 30'],
        ['what my workflow needs, in five minutes', 'size --workflow exported.json --rate 30 --slo p95=1s'],
        ['from runs that exist', 'size results/<run> --rate 30 --price cpu=23,memory=3 --write values.yaml'],
        ['the cheapest cell of a matrix', 'size --profile right-size --rate 15 --price cpu=23,memory=3'],
      ),
    )
    .action(async (runs: string[], options: SizeOptions, command: Command) => {
      const { workflow, ...asked } = options
      refuseOddRates(options)
      if (runs.length) return end(await sizeFromRuns(runs, { ...asked, workflow: workflow[0] }))
      refuseRunning(
        options,
        'size',
        './n8n-tuned check --rate says whether they sustain a rate. For what a rate needs, give its values to an n8n '
          + 'that the lab starts, with ./n8n-tuned size --target local --values my-values.yaml.',
      )
      const matrix = options.grid || command.getOptionValueSource('profile') === 'cli'
      if (matrix)
        return end(
          await cheapest({
            ...options,
            profile: options.grid && options.profile === 'size' ? 'right-size' : options.profile,
          }),
        )
      if (options.rate === undefined)
        throw usage('no-rate', 'Expected a rate to size for, got none.', 'Give the requests a second with --rate 30.')
      if (workflow.length) return measured(options, end)
      const { rate, slo, cpuSpeed, json } = options
      const timed = cpuSpeed === undefined ? speedHere() : { speed: cpuSpeed, shared: null }
      const estimate = estimateByKind({ rate, p95: slo?.p95 ?? usualP95, ...timed })
      if (json) printJson(estimate)
      else process.stdout.write(estimateInWords(estimate))
    })
}

/** Measures what an execution takes, and says from that run what the rate needs. */
async function measured(options: SizeOptions, end: (code: ExitCode) => void): Promise<void> {
  const { rate, price, at, opencost, slo, yes, json } = options
  const id = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  const out = options.resume ?? options.out ?? join(paths.results, `${id}-size`)
  const { experiment, ...prepared } = ofOwnValues(await prepare(options))
  if (weightsOf(experiment.load) || prepared.workflows.length > 1)
    throw usage('sizes-no-mix', 'Expected one workflow to size for, got several.', 'Give one with --workflow.')
  // The document is what the run was for; what the run says is on the way to it.
  const printed = json ? process.stderr : process.stdout
  const own = { ...options, json: undefined, ...(!options.resume && { out }) }
  const summary = await measure({ ...prepared, experiment }, own, { out: printed, filled: true })
  if (summary.outcome !== 'complete') return end(exitCodes.invalid)
  printed.write('\n')
  end(await sizeFromRuns([out], { rate, at, price, opencost, slo, yes, json, write: options.write ?? 'values.yaml' }))
}

/**
 * One's own values over those of the profile. In queue mode, that is the n8n to size, and there is no other. Stores
 * that are theirs stay so, and the lab puts its own in their place, as in every run.
 */
export function ofOwnValues({ experiment, given, locate, profile, ...prepared }: Prepared): Prepared {
  const own = mergeValues(given.values, given.set)
  const stores = ['database', 'redis'].filter((store) => isExternal(own[store]))
  const inQueueMode = saysQueueMode(own)
  const variants = profile.experiment.variants
    .filter(({ values }) => !inQueueMode || saysQueueMode(values))
    .map(({ name, values }) => ({ name, values: mergeValues(without(values, stores), inQueueMode ? own : given.set) }))
  return {
    ...prepared,
    profile,
    given,
    experiment: { ...experiment, variants },
    locate: (path, variant) =>
      inQueueMode && hasPath(given.values, path) && !hasPath(given.set, path)
        ? { file: '--values', line: null }
        : locate(path, variant),
  }
}

const without = (values: Values, keys: string[]) =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)))
const isExternal = (store: unknown) => (store as { type?: unknown } | undefined)?.type === 'external'

/** The cheapest cell of a matrix. */
async function cheapest(options: SizeOptions): Promise<ExitCode> {
  const prepared = await prepare(options)
  const experiment = sized(prepared.experiment, options)
  const summary = await measure({ ...prepared, experiment }, options, {
    schedule: options.grid ? everyCell : cheapestCell,
    priced: true,
  })
  return exitCodeOf(summary.answer)
}

function sized(experiment: Experiment, { rate, price, quick }: SizeOptions): Experiment {
  const { load } = experiment
  if (weightsOf(load))
    throw usage(
      'sizes-no-mix',
      `Expected workflows that are loaded each on its own to size for, got the mix of ${experiment.name}.`,
      'Set load.shape to constant, or measure the cells under the mix with ./n8n-tuned compare.',
    )
  if (rate === undefined && load.shape !== 'constant')
    throw usage(
      'no-rate',
      `Expected a rate to size for, got none: the load of ${experiment.name} is not constant.`,
      'Give the requests a second with --rate, or load: { shape: constant, rate: …, duration: … } in the profile.',
    )
  const duration = load.shape === 'constant' ? load.duration : lasting(seconds, quick)
  return {
    ...experiment,
    load: {
      shape: 'constant',
      rate: rate ?? (load as { rate: number }).rate,
      duration,
      timeout: load.timeout,
      ...arrivalsOf(load),
    },
    price: { ...experiment.price, ...price },
  }
}
