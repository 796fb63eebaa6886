import { createInterface } from 'node:readline/promises'
import { targetErrors } from './target-errors.ts'

/** Load on another machine needs its owner's consent: asked for on a terminal, refused without one. */
export async function confirmLoad(
  what: string,
  yes: true | undefined,
  { input, output }: { input: NodeJS.ReadStream; output: NodeJS.WriteStream } = {
    input: process.stdin,
    output: process.stderr,
  },
): Promise<void> {
  if (yes) return
  if (!input.isTTY || !output.isTTY) throw targetErrors.notLocal(what)
  const questions = createInterface({ input, output })
  const answer = await questions.question(`Load ${what}, which is not on this machine? [y/N] `)
  questions.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw targetErrors.notLocal(what)
}
