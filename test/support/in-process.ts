import { explain } from '../../loadtests/src/cli/explain.ts'
import type { ExitCode } from '../../loadtests/src/lib/errors.ts'
import { createProgram } from '../../loadtests/src/program.ts'
import { guard } from '../../loadtests/src/secret/known.ts'
import type { Said } from './command.ts'

/** The command's own code, from its words to its exit code, in this process: for many of them one after the other. */
export const inProcess = (...words: string[]): Promise<Said> =>
  saying(async (end) => void (await (await createProgram(end, words)).parseAsync(words, { from: 'user' })))

/** What is said while it works, as the command says it, and its exit code. */
export async function saying(work: (end: (code: ExitCode) => void) => Promise<void>): Promise<Said> {
  const said = { out: '', err: '' }
  const streams = [
    [process.stdout, 'out'],
    [process.stderr, 'err'],
  ] as const
  const before = streams.map(([stream]) => stream.write)
  for (const [stream, name] of streams) {
    stream.write = ((chunk: string | Uint8Array) => {
      said[name] += String(chunk)
      return true
    }) as typeof stream.write
    guard(stream)
  }
  let exit: ExitCode = 0
  try {
    await work((code) => (exit = code))
  } catch (error) {
    exit = explain(error)
  } finally {
    for (const [at, [stream]] of streams.entries()) stream.write = before[at]!
  }
  return { exit, ...said }
}
