#!/usr/bin/env node
import './secret/own-arguments.ts'
import { CommanderError } from 'commander'
import { exitCodes, LabError, type ExitCode } from './errors.ts'
import { createProgram } from './program.ts'

// A reader that closes the pipe early, as in `| head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  await createProgram((code) => void (process.exitCode = code)).parseAsync()
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
  process.stderr.write(
    `${error instanceof Error ? error.stack : String(error)}\nThis is a defect of n8n-tuned: please report it.\n`,
  )
  return exitCodes.failure
}
