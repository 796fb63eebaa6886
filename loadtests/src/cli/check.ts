import { InvalidArgumentError, Option, type Command } from 'commander'
import { sum } from 'simple-statistics'
import { answersFor, percentiles } from '../judge/lateness.ts'
import type { Summary } from '../model/summary.ts'
import { exitCodes, type ExitCode } from '../lib/errors.ts'
import { faultErrors } from '../fault/fault-errors.ts'
import { faultNames } from '../fault/fault-table.ts'
import { parseFault, type Fault } from '../fault/faults.ts'
import { usualShare } from '../model/operating.ts'
import { configurationErrors } from './configuration-errors.ts'
import { broke, faultsOf, isUntold, readyFor } from './faults.ts'
import { exitCodeFor, measure } from './measure.ts'
import { positiveNumber } from './numbers.ts'
import { enoughOf, explainOption, withCommonOptions, withEnoughOptions, type CommonOptions } from './options.ts'
import { prepare } from './prepare.ts'
import { lasting } from './quick.ts'
import { parsePrice } from './price.ts'
import type { Result } from '../model/result.ts'
import type { Experiment, Price, Slo } from '../model/experiment.ts'
import { parseDuration } from '../lib/units.ts'
import { arrivalsOf, weightsOf } from '../model/load.ts'

interface CheckOptions extends CommonOptions {
  variant?: string
  rate?: number
  hold?: number
  price?: Partial<Price>
  fault: Fault[]
}

/** `--rate` holds for this long, and longer where it needs more answers to tell. */
const heldFor = { least: 30, most: 300 }

export function addCheck(program: Command, end: (code: ExitCode) => void): void {
  withEnoughOptions(
    withCommonOptions(program.command('check').summary('one configuration against its objective'), 'check'),
  )
    .description(
      'Measures one configuration: the highest rate at which it meets its objective, or with --rate whether '
        + 'it carries that rate.',
    )
    .option('--variant <name>', 'the one to check, of a profile with several')
    .option('--rate <requests/s>', 'does it carry this rate?', positiveNumber)
    .addOption(
      new Option(
        '--hold <time>',
        'load --rate, or after a search 70 % of what it carries, for so long: does it last, and does memory grow?',
      ).argParser(parseHold),
    )
    .option('--price <price>', 'of a CPU and a GiB a month, for example cpu=23,memory=3', parsePrice)
    .option(
      '--fault <name>',
      'do this harm under the rate, and look for every request; repeatable (docs/resilience.md lists them)',
      collectFault,
      [],
    )
    .option(...explainOption)
    .addHelpText(
      'after',
      '\nExample:\n  n8n-tuned check --workflow ping-webhook --set main.resources.limits.cpu=2 --slo '
        + 'p95=300ms\n  n8n-tuned check --rate 50\n  n8n-tuned check --within 10% --budget 15m\n  n8n-tuned '
        + 'check --rate 20 --set executions.mode=queue --set database.type=embedded --fault redis-frozen\n  '
        + 'n8n-tuned check --workflow expression-webhook --explain',
    )
    .action(async (options: CheckOptions) => {
      const prepared = await prepare(options)
      const faults = options.fault.length ? options.fault : faultsOf(prepared.experiment)
      const steady = options.rate !== undefined || ['constant', 'mixed'].includes(prepared.experiment.load.shape)
      if (faults.length && !steady) throw faultErrors.faultNeedsRate()
      const enough = enoughOf(options)
      const experiment = {
        ...held(atRate(onlyVariant(prepared.experiment, options.variant), options), options),
        ...(enough && { enough }),
      }
      const ready = await readyFor(faults, prepared, options)
      const summary = await measure({ ...ready, experiment }, options, { faults })
      const missed = broke(summary) || tooLittle(summary) || summary.results.some(notHeld)
      if (missed) end(exitCodes.missed)
      else end(isUntold(summary) ? exitCodes.invalid : exitCodeFor(summary.results))
    })
}

/** It carries less than the profile needs. */
const tooLittle = ({ experiment: { need = 0 }, results }: Summary) =>
  results.some(({ capacity }) => capacity && capacity.rate < need)

/** Not even a smaller share of what it carries lasts for minutes. */
const notHeld = ({ operating }: Result) => operating?.held?.holds === false && !operating.held.unsure

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

/** A search is followed by a share of what it found; one rate is loaded for as long as that. */
export function lastingFor(seconds: number, { load, hold }: Experiment): Partial<Experiment> {
  if (load.shape === 'search') return { hold: { share: hold?.share ?? usualShare, for: seconds } }
  if (load.shape === 'constant' || load.shape === 'mixed') return { load: { ...load, duration: seconds } }
  throw configurationErrors.holdNeedsRate(load.shape)
}

function collectFault(text: string, all: Fault[]): Fault[] {
  const fault = parseFault(text)
  if (!fault) throw faultErrors.unknownFault(text, faultNames)
  return [...all, fault]
}

function onlyVariant(experiment: Experiment, name: string | undefined): Experiment {
  const names = experiment.variants.map((variant) => variant.name)
  if (name === undefined && names.length > 1) throw configurationErrors.pickVariant(experiment.name, names)
  const variant = name === undefined ? experiment.variants[0] : experiment.variants.find((one) => one.name === name)
  if (!variant) throw configurationErrors.unknownVariant(name!, names)
  return { ...experiment, variants: [variant] }
}

export function atRate(experiment: Experiment, { rate, quick }: Pick<CheckOptions, 'rate' | 'quick'>): Experiment {
  if (rate === undefined) return experiment
  const { load, slo } = experiment
  if (load.shape === 'mixed') return { ...experiment, load: { ...load, rate } }
  const weights = weightsOf(load)
  const enough = Math.min(heldFor.most, secondsToTell(slo, rate * leastShare(experiment)))
  const steady = {
    rate,
    duration: Math.max(enough, lasting(heldFor.least, quick)),
    timeout: load.timeout,
    ...arrivalsOf(load),
  }
  return { ...experiment, load: weights ? { shape: 'mixed', weights, ...steady } : { shape: 'constant', ...steady } }
}

/** 1.5 times as many as show that an objective is met if all are in time: a late one should not leave it open. */
const answersToTell = 1.5

/** The share of the workflow that a mix calls least. */
function leastShare({ load, workflows }: Experiment): number {
  const weights = weightsOf(load)
  if (!weights) return 1
  const all = workflows.map((workflow) => weights[workflow] ?? 1)
  return Math.min(...all) / sum(all)
}

/** The time in which a rate brings enough answers for each objective. */
function secondsToTell(slo: Slo, rate: number): number {
  const answers = percentiles.flatMap(({ name, late }) => (slo[name] === undefined ? [] : answersFor(late)))
  // The first tenth does not count.
  return Math.ceil((answersToTell * Math.max(...answers)) / (0.9 * rate))
}
