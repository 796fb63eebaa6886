import type { Command } from 'commander'
import { cheapestCell, everyCell } from '../run/schedule.ts'
import { exitCodeOf } from '../judge/answer.ts'
import { measure } from './measure.ts'
import { type CommonOptions, parsePrice, positiveNumber, withCommonOptions } from './options.ts'
import { prepare } from './prepare.ts'
import { lasting } from './load.ts'
import type { Experiment, Price } from '../model/experiment.ts'
import { arrivalsOf, weightsOf } from '../model/load.ts'
import { type ExitCode, usage } from '../lib/errors.ts'

interface SizeOptions extends CommonOptions {
  rate?: number
  price?: Partial<Price>
  grid?: true
}

/** The seconds of the longest look at a cell, if the profile gives none. */
const seconds = 60

export function addSize(program: Command, end: (code: ExitCode) => void): void {
  withCommonOptions(program.command('size').summary('the cheapest cell of a matrix that sustains a rate'), 'right-size')
    .description(
      'Looks briefly at every cell of a profile’s matrix, longer at the better half, and so on. Finds the '
        + 'cheapest that sustains the rate within the objective, and writes its values.',
    )
    .option('--rate <requests/s>', 'to size for, instead of the profile’s', positiveNumber)
    .option('--price <price>', 'of a CPU and a GiB, for example cpu=23,memory=3', parsePrice)
    .option('--grid', 'measure every cell at full length instead')
    .addHelpText(
      'after',
      '\nExample:\n  ./n8n-tuned size --profile right-size --rate 15 --price cpu=23,memory=3\n  ./n8n-tuned size '
        + '--profile right-size --resume results/2026-11-20T09-30-00-right-size',
    )
    .action(async (options: SizeOptions) => {
      const prepared = await prepare(options)
      const experiment = sized(prepared.experiment, options)
      const summary = await measure({ ...prepared, experiment }, options, {
        schedule: options.grid ? everyCell : cheapestCell,
        priced: true,
      })
      end(exitCodeOf(summary.answer))
    })
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
