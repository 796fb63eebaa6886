import { basename, extname } from 'node:path'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { measuredOf, usualBounds } from '../judge/gate.ts'
import { summarise } from '../judge/summarise.ts'
import { usualGate } from '../run/enough.ts'
import { mergeValues } from '../lib/values.ts'
import { nameValue } from '../lib/name-value.ts'
import { atRate } from './load.ts'
import { refuseRunning } from './choose-target.ts'
import { exitCodeOf } from '../judge/answer.ts'
import { faultsOf, readyFor } from './faults.ts'
import { measure } from './measure.ts'
import {
  type CommonOptions,
  among,
  collect,
  enoughOf,
  examples,
  explainOption,
  positiveNumber,
  withCommonOptions,
  withEnoughOptions,
} from './options.ts'
import { prepare, readValuesFile, type Prepared } from './prepare.ts'
import type { Experiment } from '../model/experiment.ts'
import type { Bounds, GateAsked } from '../model/gate.ts'
import { parseShare } from '../lib/units.ts'
import { fromRun, readRecords } from '../run/record-file.ts'
import { type ExitCode, usage } from '../lib/errors.ts'

interface CompareOptions extends CommonOptions {
  tag: string[]
  with: string[]
  against?: string
  bound?: Partial<Bounds>
  rate?: number
  need?: number
}

export function addCompare(program: Command, end: (code: ExitCode) => void): void {
  withEnoughOptions(
    withCommonOptions(
      program.command('compare').summary('variants of a profile against the first, or against an earlier run'),
      'quick',
    ),
  )
    .description(
      'Measures every variant of a profile under every workflow. Met when one variant meets the objective '
        + 'throughout: the one it recommends. With --bound or --against it is a gate against the first '
        + 'variant or the earlier run. The gate is missed when capacity falls or memory grows by more than '
        + 'the bound, and by more than the repeats lie apart. All variants are up at once and loaded in turns, '
        + 'on the same cores, where the target can.',
    )
    .option('--tag <version>', 'an n8n version as a variant, not the profile’s; repeatable', collect, [])
    .option('--with <file>', 'Helm values as a variant, instead of the profile’s; repeatable', collect, [])
    .option('--against <dir>', 'compare with this earlier run')
    .addOption(
      among(
        'first',
        '--rate <requests/s>',
        'compare what this load costs each variant, not capacity: CPU a request, p95 and memory',
      )
        .argParser(positiveNumber)
        .conflicts('against'),
    )
    .addOption(
      new Option(
        '--need <requests/s>',
        'recommend the tier with the smallest trade-off that sustains this rate under every workflow',
      )
        .argParser(positiveNumber)
        .conflicts(['rate', 'against']),
    )
    .option(
      '--bound <shares>',
      'what may get worse (default: capacity=8%,memory=15%; with --rate cpu=8%,memory=15%)',
      parseBounds,
    )
    .option(...explainOption)
    .addHelpText(
      'after',
      examples(
        ['two configurations of mine', 'compare --with before.yaml --with after.yaml --workflow exported.json'],
        ['the tier that a rate needs', 'compare --profile tiers --workflow exported.json --need 50'],
        [
          'does an upgrade make it worse',
          'compare --profile upgrade --tag 1.123.81 --tag 2.41.1 --rate 10 --bound cpu=8%',
        ],
        ['against an earlier run', 'compare --profile upgrade --tag 2.41.1 --against results/before'],
      ),
    )
    .action(async (options: CompareOptions) => {
      refuseRunning(options, 'compare', './n8n-tuned check measures them.')
      const gate = await gateFor(options)
      const prepared = needing(
        besideEachOther(await prepare(options, (all) => withVariants(all, options)), options),
        options.need,
      )
      const enough =
        enoughOf(options)
        ?? (gate && options.rate !== undefined && options.repeat === undefined ? usualGate : undefined)
      const experiment = { ...prepared.experiment, ...(enough && { enough }) }
      const faults = faultsOf(experiment)
      if (faults.length && options.rate !== undefined)
        throw usage(
          'faults-apart',
          'Expected variants one after the other under the profile’s faults, got --rate, which loads them in turns.',
          'Leave --rate out: the profile says the load.',
        )
      const ready = await readyFor(faults, prepared, options)
      const summary = await measure({ ...ready, experiment }, options, { gate, faults })
      end(exitCodeOf(summary.answer))
    })
}

/** At a given rate each variant takes turns with the first. */
export function besideEachOther(prepared: Prepared, options: Pick<CompareOptions, 'rate' | 'quick'>): Prepared {
  const {
    variants: [first, ...others],
  } = prepared.experiment
  if (options.rate === undefined) return prepared
  if (!others.length)
    throw usage(
      'nothing-beside',
      `--rate: Expected two variants or more to compare, got only ${first!.name}.`,
      'Give them with --tag or --with, or a profile that has several. For one alone there is ./n8n-tuned check --rate.',
    )
  return {
    ...prepared,
    experiment: {
      ...atRate(prepared.experiment, options),
      variants: [first!, ...others.map((variant) => ({ ...variant, beside: first!.name }))],
    },
  }
}

async function gateFor({ against, bound, rate }: CompareOptions): Promise<GateAsked | undefined> {
  if (against === undefined && bound === undefined) return undefined
  const idle = rate === undefined ? 'cpu' : 'capacity'
  if (bound && idle in bound)
    throw usage(
      'idle-bound',
      `--bound: Expected ${idle === 'cpu' ? 'capacity or memory' : 'cpu or memory'}, got ${idle}.`,
      idle === 'cpu'
        ? 'The comparison of CPU a request needs one rate: add --rate.'
        : 'A run at one rate does not measure capacity: leave --rate out, or bound cpu.',
    )
  const bounds = { ...usualBounds, ...bound }
  if (against === undefined) return { bounds, earlier: null }
  const records = await readRecords(against)
  const { id, environment, results } = await fromRun(against, () => summarise(records))
  return {
    bounds,
    earlier: { id, calibration: environment.calibration?.rate ?? null, results: results.map(measuredOf) },
  }
}

async function withVariants(experiment: Experiment, { tag, with: files, set }: CompareOptions): Promise<Experiment> {
  if (tag.length + files.length === 0) return experiment
  const tags = tag.map((version) => ({ name: version, values: { image: { tag: version } } }))
  const given = await Promise.all(
    files.map(async (file) => ({ name: basename(file, extname(file)), values: await readValuesFile(file) })),
  )
  const variants = [...tags, ...given].map(({ name, values }) => ({ name, values: mergeValues(values, set) }))
  const twice = variants.find(({ name }, index) => variants.findIndex((other) => other.name === name) !== index)
  if (twice)
    throw usage(
      'same-variant',
      `Expected variants of different names, got two of "${twice.name}".`,
      'A variant of --tag has the version as its name, one of --with the name of its file.',
    )
  // Who names the variants asks which is better, whatever the profile asked of its own.
  const { asks: _, ...rest } = experiment
  return { ...rest, variants }
}

function needing(prepared: Prepared, need: number | undefined): Prepared {
  return need === undefined ? prepared : { ...prepared, experiment: { ...prepared.experiment, need } }
}

export function parseBounds(text: string): Partial<Bounds> {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [name, value = ''] = nameValue(part)
      const share = parseShare(value)
      if (!(name in usualBounds) || share === undefined)
        throw new InvalidArgumentError(`Expected capacity=8%, memory=15% or cpu=8%, got "${part}".`)
      return [name, share]
    }),
  )
}
