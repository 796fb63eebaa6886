#!/usr/bin/env node
import './secret/own-arguments.ts'
import { endWithoutRun } from './cli/interrupt.ts'
import { exitCodes, LabError, type ExitCode } from './lib/errors.ts'
import { diskFull, isDiskFull } from './lib/disk.ts'

// A reader that closes the pipe early, as in `| head`, is no failure; neither is a terminal that was closed.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
  })

endWithoutRun(
  () => {
    process.stderr.write('\nInterrupted.\n')
    process.exit(exitCodes.failure)
  },
  (error) => process.exit(explain(error)),
)

// Reading all of the program takes a moment, in which it can be interrupted already.
const [{ CommanderError }, { createProgram }] = await Promise.all([import('commander'), import('./program.ts')])

try {
  await createProgram((code) => void (process.exitCode = code)).parseAsync()
} catch (error) {
  process.exitCode = explain(error)
}

function explain(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.met : exitCodes.usage
  const known = isDiskFull(error) ? diskFull(error.path ?? 'what was being written') : error
  if (known instanceof LabError) {
    process.stderr.write(`${known.message}\n`)
    for (const line of known.log) process.stderr.write(`  | ${line}\n`)
    if (known.hint) process.stderr.write(`Fix: ${known.hint}\n`)
    return known.exit
  }
  process.stderr.write(
    `${error instanceof Error ? error.stack : String(error)}\nThis is a defect of n8n-tuned: please report it.\n`,
  )
  return exitCodes.failure
}
