import type { CommanderError } from 'commander'
import { diskFull, isDiskFull } from '../lib/disk.ts'
import { exitCodes, LabError, type ExitCode } from '../lib/errors.ts'
import { printable } from '../lib/printable.ts'

/** Says what ended the command, and returns its exit code. */
export function explain(error: unknown): ExitCode {
  if (isOfCommander(error)) return error.exitCode === 0 ? exitCodes.met : exitCodes.usage
  const known = isDiskFull(error) ? diskFull(error.path ?? 'what was being written') : error
  if (known instanceof LabError) {
    // It may repeat what others wrote.
    process.stderr.write(`${printable(known.message)}\n`)
    for (const line of known.log) process.stderr.write(`  | ${printable(line)}\n`)
    if (known.hint) process.stderr.write(`Fix: ${printable(known.hint)}\n`)
    return known.exit
  }
  process.stderr.write(
    `${error instanceof Error ? error.stack : String(error)}\nThis is a defect of n8n-tuned: please report it.\n`,
  )
  return exitCodes.failure
}

/** It has said so itself. Known by its name, because reading all of it takes a moment. */
const isOfCommander = (error: unknown): error is CommanderError =>
  error instanceof Error && /^(Commander|InvalidArgument)Error$/.test(error.name)
