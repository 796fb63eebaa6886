#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { addCheck } from './cli/check.ts'
import { addCompare } from './cli/compare.ts'
import { addEcosystem } from './cli/ecosystem.ts'
import { addList } from './cli/list.ts'
import { addSize } from './cli/size.ts'
import { addTune } from './cli/tune.ts'
import { addReport } from './cli/report.ts'
import { exitCodes, LabError, type ExitCode } from './errors.ts'

const end = (code: ExitCode) => void (process.exitCode = code)

const program = new Command('n8n-tuned')
  .description('Finds out what an n8n can carry, and which settings carry it.')
  .version('0.1.0')
  .showHelpAfterError('(n8n-tuned --help lists the commands and their options)')
  .exitOverride()
  .addHelpText('after', '\nExit codes: 0 objective met, 1 a failure of ours, 2 usage or bad profile, 3 objective missed, 4 measurement invalid.')

addCheck(program, end)
addCompare(program, end)
addSize(program, end)
addTune(program, end)
addReport(program)
addEcosystem(program)
addList(program)

// A reader that has seen enough, as in `| head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = explain(error)
}

function explain(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.met : exitCodes.usage
  if (error instanceof LabError) {
    process.stderr.write(`${error.message}\n`)
    for (const line of error.log) process.stderr.write(`  | ${line}\n`)
    if (error.hint) process.stderr.write(`Fix: ${error.hint}\n`)
    return error.exit
  }
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\nThis is a defect of n8n-tuned: please report it.\n`)
  return exitCodes.failure
}
