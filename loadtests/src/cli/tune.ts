import type { Command } from 'commander'
import { tuningsOf, withoutTuning, type Tuning } from '../chart/tunings.ts'
import { planCells } from '../run/cells.ts'
import { mergeValues } from '../lib/values.ts'
import { exitCodeOf } from '../judge/answer.ts'
import { refuseRunning } from './choose-target.ts'
import { measure } from './measure.ts'
import { type CommonOptions, among, collect, examples, positiveNumber, withCommonOptions } from './options.ts'
import { prepare, type Prepared } from './prepare.ts'
import { lasting } from './load.ts'
import type { Values, Variant } from '../model/experiment.ts'
import { arrivalsOf } from '../model/load.ts'
import { type ExitCode, usage } from '../lib/errors.ts'

interface TuneOptions extends CommonOptions {
  setting: string[]
  rate?: number
}

/** Seconds of the load at a given rate: long enough for V8 to collect its old space. */
const seconds = 30

export function addTune(program: Command, end: (code: ExitCode) => void): void {
  withCommonOptions(program.command('tune').summary('what each setting and each patch of a tier is worth'), 'tune')
    .description(
      'Measures all settings and patches of a tier, then again without each of them. A setting is worth the '
        + 'capacity that is lost without it. At a given rate two n8n take turns on the same cores, with it '
        + 'and without it. It is then worth the CPU, latency and memory that it saves. Met when all of them together '
        + 'meet the objective; not sure where the worth of a setting stays open.',
    )
    .option('--setting <name>', 'a setting or patch: only without this one, instead of each; repeatable', collect, [])
    .addOption(
      among(
        'first',
        '--rate <requests/s>',
        'the worth in what this load costs, not in capacity: CPU a request, p95 and memory',
      ).argParser(positiveNumber),
    )
    .addHelpText(
      'after',
      examples(
        ['what each setting is worth to my workflow', 'tune --workflow exported.json'],
        ['one of them', 'tune --workflow expression-webhook --setting fastIsolates'],
        ['one of them, at a rate', 'tune --workflow ping-webhook --rate 15 --setting noStatistics'],
      ),
    )
    .action(async (options: TuneOptions) => {
      refuseRunning(
        options,
        'tune',
        'give its values to an n8n that the lab starts, with ./n8n-tuned tune --target local --values my-values.yaml.',
      )
      const prepared = await prepare(options)
      // Values that the chart refuses have no tunings to leave out.
      await planCells(prepared)
      const summary = await measure(await leavingOut(prepared, options), options)
      end(exitCodeOf(summary.answer))
    })
}

const defaults = 'n8n-defaults'

/**
 * One variant with all settings, and one without each that the user names, or that has an effect; at a given rate, a
 * pair for each.
 */
export async function leavingOut(
  prepared: Prepared,
  { setting: asked, rate, quick }: Pick<TuneOptions, 'setting' | 'rate' | 'quick'>,
): Promise<Prepared> {
  const {
    base,
    variants: [given, ...more],
    matrix,
    load,
  } = prepared.experiment
  if (more.length || Object.keys(matrix).length)
    throw nothingToTune('a profile with neither variants nor matrix', prepared.experiment.name)
  const { tier, working } = await tuningsOf(mergeValues(base, given!.values))
  if (!working.length) throw nothingToTune('values whose tier has settings or patches', `the tier ${tier}`)
  const idle = asked.find((name) => working.every((tuning) => tuning.name !== name))
  if (idle !== undefined)
    throw idleSetting(
      idle,
      working.map(({ name }) => name),
      tier,
    )
  const variant = (name: string, values: Values = {}, rest: Partial<Variant> = {}): Variant => ({
    name,
    values: mergeValues(given!.values, values),
    ...rest,
  })
  const leftOut = (tuning: Tuning, rest: Partial<Variant> = {}) =>
    variant(`without-${tuning.name}`, withoutTuning(tuning), { without: tuning.name, ...rest })
  const chosen = working.filter(({ name }) => asked.length === 0 || asked.includes(name))
  return {
    ...prepared,
    experiment: {
      ...prepared.experiment,
      load:
        rate === undefined
          ? load
          : { shape: 'constant', rate, duration: lasting(seconds, quick), timeout: load.timeout, ...arrivalsOf(load) },
      variants:
        rate === undefined
          ? [
              variant(tier),
              ...chosen.map((tuning) => leftOut(tuning)),
              variant(defaults, { tuning: { tier: defaults } }),
            ]
          : // At a rate that shows the worth of settings, n8n on its defaults would be overloaded.
            chosen.flatMap((tuning) => [
              variant(`with-${tuning.name}`),
              leftOut(tuning, { beside: `with-${tuning.name}` }),
            ]),
    },
  }
}

const nothingToTune = (expected: string, got: string) =>
  usage(
    'nothing-to-tune',
    `Expected ${expected}, got none of it in ${got}.`,
    'Each variant of tune is made of a tier, with one of its settings or patches left out: give values '
      + 'with base, --values or --set tuning.tier=tuned.',
  )

const idleSetting = (setting: string, working: string[], tier: string) =>
  usage(
    'idle-setting',
    `--setting: Expected a setting or patch that does something with these values (tier ${tier}), got ${setting}.`,
    `Those that do: ${working.join(', ')}.`
      + (tier === 'patched' ? '' : ' The tier patched has more: --set tuning.tier=patched.')
      + ' A patch of no tier is chosen: --set tuning.patches.NAME=true.',
  )
