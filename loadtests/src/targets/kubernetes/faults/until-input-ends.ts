import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { clusterErrors } from '../errors.ts'
import { argvOf, type Place } from '../exec.ts'

/** The word with which a script says that it has begun. */
export const begun = 'begun'

const patience = 30_000

/**
 * Runs a script in a container, and returns once it says that it has begun. Then it waits until its input ends. The
 * returned function ends it, and so does the end of the lab, also if the lab is killed. `refusals` are the errors that
 * its exit codes stand for.
 */
export async function untilInputEnds(
  place: Place,
  script: string,
  refusals: Record<number, () => Error> = {},
): Promise<() => Promise<void>> {
  const argv = argvOf(place, ['sh', '-c', script], '--stdin')
  const running = execa('kubectl', argv, { reject: false, cleanup: false })
  const said = await Promise.race([firstLine(running.stdout), running])
  if (said === begun)
    return async () => {
      running.stdin.end()
      setTimeout(() => running.kill(), patience).unref()
      await running
    }
  const { exitCode, stderr, message } = await running
  const refusal = refusals[exitCode ?? -1]
  throw refusal?.() ?? clusterErrors.clusterRefused(`kubectl exec ${place.pod}`, stderr || message!)
}

/** Writes a word into a file that a program reads, until its own input ends. */
export const sayUntilInputEnds = (word: string, file: string) => `
echo ${word} >${file}
echo ${begun}
read -r forever
rm ${file}`

const firstLine = (stream: NodeJS.ReadableStream) =>
  new Promise<string>((resolve) => createInterface({ input: stream }).once('line', resolve))
