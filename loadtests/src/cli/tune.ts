import type { Command } from 'commander'
import { tuningsOf } from '../chart/tunings.ts'
import { errors, type ExitCode } from '../errors.ts'
import type { Variant, Values } from '../profile/experiment.ts'
import { mergeValues } from '../values.ts'
import { commandLine } from './check.ts'
import { exitCodeFor, measure } from './measure.ts'
import { collect, withCommonOptions, type CommonOptions } from './options.ts'
import { prepare, type Prepared } from './prepare.ts'
import { refuseBadValues } from './refuse.ts'

interface TuneOptions extends CommonOptions {
  setting: string[]
}

export function addTune(program: Command, end: (code: ExitCode) => void): void {
  withCommonOptions(program.command('tune').summary('what each setting of the tuned profile is worth'), 'tune')
    .description('Measures the tuned settings, then again without each of them: what it carries less is what that setting is worth. Met when the tuned settings meet the objective.')
    .option('--setting <name>', 'only without this one, instead of each; may be given again', collect, [])
    .addHelpText('after', '\nExample:\n  n8n-tuned tune --workflow expression-webhook --setting lightIsolates')
    .action(async (options: TuneOptions, command: Command) => {
      const prepared = await prepare(options)
      await refuseBadValues(prepared)
      const summary = await measure(await leavingOut(prepared, options.setting), options, commandLine(command))
      end(exitCodeFor(summary.results.filter(({ variant }) => variant === all)))
    })
}

const all = 'tuned'

/** One variant with all of the settings, and one without each that was asked for, or else changes anything. */
async function leavingOut(prepared: Prepared, asked: string[]): Promise<Prepared> {
  const { base, variants: [given, ...more], matrix } = prepared.experiment
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
      variants: [
        variant(all, {}),
        ...working.filter((setting) => asked.length === 0 || asked.includes(setting)).map((setting) => variant(`without-${setting}`, { tuning: { [setting]: false } }, setting)),
        variant('n8n-defaults', { tuning: { profile: 'n8n-defaults' } }),
      ],
    },
  }
}
