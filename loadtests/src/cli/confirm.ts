import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { usage } from '../lib/errors.ts'
import type { Reached } from './reach.ts'

interface Streams {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
}

/**
 * The user's word for all that a run reaches beside what the lab starts: first it is shown whole, then asked once.
 * Without a terminal `--yes` is that word. Where nothing is reached, nothing is said.
 */
export async function agree(
  reached: Reached[],
  yes: true | undefined,
  { input, output }: Streams = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (reached.length === 0) return
  const list = inWords(reached)
  if (!yes && !(input.isTTY && output.isTTY)) throw notAgreed(`got none without a terminal:\n${list}`)
  output.write(`This run reaches what the lab did not start:\n${list}\n`)
  if (yes) return
  const questions = createInterface({ input, output })
  // Ctrl-C and Ctrl-D close it without an answer.
  const closed = once(questions, 'close').then(() => '')
  const answer = await Promise.race([questions.question('Do all of this? [y/N] '), closed])
  questions.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw notAgreed(`got ${JSON.stringify(answer.trim())}.`)
}

const inWords = (reached: Reached[]): string =>
  reached.map(({ what, does }) => [`  ${what}`, ...does.map((line) => `    - ${line}`)].join('\n')).join('\n')

const notAgreed = (got: string) =>
  usage(
    'not-agreed',
    `Expected your word for what this run reaches beside what the lab starts, ${got}`,
    'Give --yes if all of it is yours to load and to write to.',
  )
