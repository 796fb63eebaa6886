import type { Command } from 'commander'
import { errors, type ExitCode } from '../errors.ts'
import { commandLine } from './check.ts'
import { exitCodeFor, measure } from './measure.ts'
import { withCommonOptions, type CommonOptions } from './options.ts'
import { prepare } from './prepare.ts'

export function addCompare(program: Command, end: (code: ExitCode) => void): void {
  withCommonOptions(program.command('compare').summary('variants of a profile, side by side'), 'quick')
    .description('Measures every variant of a profile under every workflow. Met when one variant meets the objective throughout: the one it recommends.')
    .addHelpText('after', '\nExample:\n  n8n-tuned compare --profile own-vs-main')
    .action(async (options: CommonOptions, command: Command) => {
      if (options.target instanceof URL) throw errors.checkOnly()
      const summary = await measure(await prepare(options), options, commandLine(command))
      const recommended = summary.recommendation?.variant
      end(exitCodeFor(summary.results.filter(({ variant }) => recommended === undefined || variant === recommended)))
    })
}
