#!/usr/bin/env node
import './secret/own-arguments.ts'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { endWithoutRun } from './cli/interrupt.ts'
import { explain } from './cli/explain.ts'
import { root } from './lib/paths.ts'

// A reader that closes the pipe early, as in `| head`, is no failure; neither is a terminal that was closed.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
  })

endWithoutRun(
  (exit) => {
    process.stderr.write('\nInterrupted.\n')
    process.exit(exit)
  },
  (error) => process.exit(explain(error)),
)

// Compiled once, beside what is installed: a cache that others can write to could bring code of theirs.
enableCompileCache(join(root, 'node_modules/.cache/compiled'))
// Reading the program takes a moment, in which it can be interrupted already.
const { createProgram } = await import('./program.ts')

try {
  const asks = process.argv.length === 2 && process.stdin.isTTY && process.stdout.isTTY
  const words = asks
    ? await (await import('./cli/ask.ts')).askFor(process.stdin, process.stdout)
    : process.argv.slice(2)
  const program = await createProgram((code) => void (process.exitCode = code), words)
  await program.parseAsync(words, { from: 'user' })
} catch (error) {
  process.exitCode = explain(error)
}
