#!/usr/bin/env node
import './secret/own-arguments.ts'
import { endWithoutRun } from './cli/interrupt.ts'
import { explain } from './cli/explain.ts'
import { exitCodes } from './lib/errors.ts'

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
const { createProgram } = await import('./program.ts')

try {
  const program = createProgram((code) => void (process.exitCode = code))
  const asks = process.argv.length === 2 && process.stdin.isTTY && process.stdout.isTTY
  if (asks) {
    const { askFor } = await import('./cli/ask.ts')
    await program.parseAsync(await askFor(process.stdin, process.stdout), { from: 'user' })
  } else await program.parseAsync()
} catch (error) {
  process.exitCode = explain(error)
}
