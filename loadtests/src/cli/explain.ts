import type { CommanderError } from 'commander'
import { diskFull, isDiskFull } from '../lib/disk.ts'
import { exitCodes, LabError, type ExitCode } from '../lib/errors.ts'
import { printable } from '../lib/printable.ts'

/** Says what ended the command, and returns its exit code. */
export function explain(error: unknown): ExitCode {
  if (isOfCommander(error)) return error.exitCode === 0 ? exitCodes.met : exitCodes.usage
  const known = isDiskFull(error) ? diskFull(error.path ?? 'what was being written') : error
  if (known instanceof LabError) {
    process.stderr.write(`${quoting(known.message)}\n`)
    for (const line of known.log) process.stderr.write(`  | ${quoting(line)}\n`)
    if (known.hint) process.stderr.write(`Fix: ${quoting(known.hint)}\n`)
    return known.exit
  }
  process.stderr.write(
    `${error instanceof Error ? error.stack : String(error)}\nThis is a defect of n8n-tuned: please report it.\n`,
  )
  return exitCodes.failure
}

/** A message may repeat what others wrote, or list what is wrong with each line of it: the first of it does. */
function quoting(text: string): string {
  const lines = printable(text)
    .replace(/^([^\n]{2000})[^\n]+$/gm, '$1…')
    .split('\n')
  const rest = lines.length - mostLines
  return rest > 0 ? [...lines.slice(0, mostLines), `… and ${rest} lines more`].join('\n') : lines.join('\n')
}

const mostLines = 100

/** It has said so itself. Known by its name, because reading all of it takes a moment. */
const isOfCommander = (error: unknown): error is CommanderError =>
  error instanceof Error && /^(Commander|InvalidArgument)Error$/.test(error.name)
