import { InvalidArgumentError, Option, type Command } from 'commander'
import { faultNames, meantFault, parseFault, type Fault } from '../fault/faults.ts'
import { exitCodeOf } from '../judge/answer.ts'
import { faultsOf, readyFor } from './faults.ts'
import { measure } from './measure.ts'
import {
  among,
  enoughOf,
  examples,
  explainOption,
  parsePrice,
  positiveNumber,
  withCommonOptions,
  withEnoughOptions,
  type CommonOptions,
} from './options.ts'
import { runDry } from './dry-run.ts'
import { prepare } from './prepare.ts'
import { atRate, besideSchedules, lastingFor } from './load.ts'
import type { Experiment, Price } from '../model/experiment.ts'
import { parseDuration } from '../lib/units.ts'
import { usage, type ExitCode } from '../lib/errors.ts'

interface CheckOptions extends CommonOptions {
  dryRun?: true
  variant?: string
  rate?: number
  hold?: number
  price?: Partial<Price>
  fault: Fault[]
}

export function addCheck(program: Command, end: (code: ExitCode) => void): void {
  withEnoughOptions(
    withCommonOptions(program.command('check').summary('one configuration against its objective'), 'check'),
  )
    .description(
      'Measures one configuration: the highest rate at which it meets its objective, or with --rate whether '
        + 'it sustains that rate.',
    )
    .option('--variant <name>', 'the one to check, of a profile with several')
    .addOption(among('first', '--rate <requests/s>', 'does it sustain this rate?').argParser(positiveNumber))
    .addOption(
      among(
        'long',
        '--hold <time>',
        'load --rate, or after a search its safe rate, for so long: does it last? Does memory grow?',
      ).argParser(parseHold),
    )
    .option('--price <price>', 'of a CPU and a GiB a month, for example cpu=23,memory=3', parsePrice)
    .option(
      '--fault <name>',
      'cause this fault under the rate, and trace every request; repeatable (docs/resilience.md lists them)',
      collectFault,
      [],
    )
    .addOption(
      new Option('--dry-run', 'execute each workflow once, and show what each node did; nothing is measured').conflicts(
        'json',
      ),
    )
    .option(...explainOption)
    .addHelpText(
      'after',
      examples(
        ['does my workflow sustain 50 requests a second', 'check --workflow exported.json --rate 50'],
        ['the most that it sustains', 'check --workflow exported.json'],
        ['on my own settings', 'check --workflow exported.json --values my-values.yaml --rate 50'],
        ['an n8n that runs already', 'check --target https://n8n.example.com --workflow exported.json'],
        ['for sure, within a quarter of an hour', 'check --workflow exported.json --within 10% --budget 15m'],
        ['which functions take its CPU time', 'check --workflow exported.json --explain'],
        ['200 of a scheduled workflow, due at once', 'check --workflow nightly.json --copies 200 --rate 5'],
        ['what a fault costs', 'check --profile faults --rate 20 --fault redis-frozen'],
      ),
    )
    .action(async (options: CheckOptions) => {
      const prepared = await prepare(options, (all) => onlyVariant(all, options.variant))
      if (options.dryRun) return end(await runDry(prepared, options))
      const faults = options.fault.length ? options.fault : faultsOf(prepared.experiment)
      const steady = options.rate !== undefined || ['constant', 'mixed'].includes(prepared.experiment.load.shape)
      if (faults.length && !steady)
        throw usage(
          'fault-needs-rate',
          'Expected --fault beside a steady load, got it without --rate.',
          'Say a rate that n8n sustains with room to spare, about half of its capacity: --rate 20.',
        )
      const enough = enoughOf(options)
      const experiment = {
        ...held(besideSchedules(atRate(prepared.experiment, options), options), options),
        ...(enough && { enough }),
      }
      const ready = await readyFor(faults, prepared, options)
      const summary = await measure({ ...ready, experiment }, options, { faults })
      end(exitCodeOf(summary.answer))
    })
}

function parseHold(text: string): number {
  const milliseconds = parseDuration(text)
  if (!milliseconds || milliseconds < 60_000)
    throw new InvalidArgumentError(`Expected a time of a minute or more, such as 15m, got "${text}".`)
  return milliseconds / 1000
}

function held(experiment: Experiment, { hold, price }: Pick<CheckOptions, 'hold' | 'price'>): Experiment {
  return {
    ...experiment,
    ...(hold !== undefined && lastingFor(hold, experiment)),
    price: { ...experiment.price, ...price },
  }
}

function collectFault(text: string, all: Fault[]): Fault[] {
  const fault = parseFault(text)
  const meant = meantFault(text)
  if (!fault)
    throw usage(
      'unknown-fault',
      `Expected the name of a fault, got "${text}".`,
      `${meant === undefined ? `Faults: ${faultNames.join(', ')}.` : `Did you mean ${meant}?`} `
        + 'One that lasts takes its seconds: redis-frozen=45s. An upgrade takes its release: upgraded=2.41.1.',
    )
  return [...all, fault]
}

function onlyVariant(experiment: Experiment, name: string | undefined): Experiment {
  const names = experiment.variants.map((variant) => variant.name)
  if (name === undefined && names.length > 1)
    throw usage(
      'pick-variant',
      `Expected one configuration to check, got the ${names.length} variants of ${experiment.name}.`,
      `Name one with --variant (${names.join(', ')}), or use ./n8n-tuned compare.`,
    )
  const variant = name === undefined ? experiment.variants[0] : experiment.variants.find((one) => one.name === name)
  if (!variant)
    throw usage(
      'unknown-variant',
      `Expected --variant to be one of ${names.join(', ') || 'none (the profile has no variants)'}, got "${name!}".`,
      'Take one of the names in the profile.',
    )
  return { ...experiment, variants: [variant] }
}
