import type { Command } from 'commander'
import { tuningsOf } from '../chart/tunings.ts'
import { errors, type ExitCode } from '../errors.ts'
import type { Variant, Values } from '../profile/experiment.ts'
import { mergeValues } from '../values.ts'
import { commandLine } from './check.ts'
import { exitCodeFor, measure } from './measure.ts'
import { collect, positiveNumber, withCommonOptions, type CommonOptions } from './options.ts'
import { prepare, type Prepared } from './prepare.ts'
import { refuseBadValues } from './refuse.ts'

interface TuneOptions extends CommonOptions {
  setting: string[]
  rate?: number
}

/** Of the load at a given rate: V8 collects its old space in it. */
const seconds = 30

export function addTune(program: Command, end: (code: ExitCode) => void): void {
  withCommonOptions(program.command('tune').summary('what each setting of the tuned profile is worth'), 'tune')
    .description('Measures the tuned settings, then again without each of them: what it carries less is what that setting is worth, or at a given rate what that takes more. Met when the tuned settings meet the objective.')
    .option('--setting <name>', 'only without this one, instead of each; may be given again', collect, [])
    .option('--rate <requests/s>', 'not how much is carried, but what this load takes: CPU a request, p95 and memory', positiveNumber)
    .addHelpText('after', '\nExample:\n  n8n-tuned tune --workflow expression-webhook --setting lightIsolates\n  n8n-tuned tune --workflow ping-webhook --rate 60')
    .action(async (options: TuneOptions, command: Command) => {
      const prepared = await prepare(options)
      await refuseBadValues(prepared)
      const summary = await measure(await leavingOut(prepared, options), options, commandLine(command))
      end(exitCodeFor(summary.results.filter(({ variant }) => variant === all)))
    })
}

const all = 'tuned'

/** One variant with all of the settings, and one without each that was asked for, or else changes anything. */
export async function leavingOut(prepared: Prepared, { setting: asked, rate }: Pick<TuneOptions, 'setting' | 'rate'>): Promise<Prepared> {
  const { base, variants: [given, ...more], matrix, load } = prepared.experiment
  if (more.length || Object.keys(matrix).length) throw errors.nothingToTune('a profile with neither variants nor matrix', prepared.experiment.name)
  const { working } = await tuningsOf(mergeValues(base, given!.values))
  if (!working.length) throw errors.nothingToTune('values under which the tuned settings do something', '--set tuning.profile or the profile’s base')
  const idle = asked.find((setting) => !working.includes(setting))
  if (idle !== undefined) throw errors.idleSetting(idle, working)
  const variant = (name: string, values: Values, without?: string): Variant => ({ name, values: mergeValues(given!.values, values), ...(without && { without }) })
  return {
    ...prepared,
    experiment: {
      ...prepared.experiment,
      load: rate === undefined ? load : { shape: 'constant', rate, duration: seconds, timeout: load.timeout },
      variants: [
        variant(all, {}),
        ...working.filter((setting) => asked.length === 0 || asked.includes(setting)).map((setting) => variant(`without-${setting}`, { tuning: { [setting]: false } }, setting)),
        // A rate that tells settings apart is one that n8n's defaults drown in.
        ...(rate === undefined ? [variant('n8n-defaults', { tuning: { profile: 'n8n-defaults' } })] : []),
      ],
    },
  }
}
