import { execa } from 'execa'
import { invalid } from '../lib/errors.ts'
import { paths } from '../lib/paths.ts'
import { endAtExit, killGroup } from '../lib/processes.ts'

const refusals = new Map<string, Promise<string | null>>()

/**
 * Why that version cannot be installed here, in one sentence; null where it can. The first question about a version
 * takes npm a while, so it is asked once.
 */
export function refusalOfN8n(tag: string, onProgress: (line: string) => void): Promise<string | null> {
  const refusal = refusals.get(tag) ?? askNpm(tag, onProgress)
  refusals.set(tag, refusal)
  return refusal
}

async function askNpm(tag: string, onProgress: (line: string) => void): Promise<string | null> {
  const running = execa(paths.installRuntime, ['--resolve', tag], { reject: false, lines: true })
  running.stderr.on('data', (chunk: Buffer) => {
    const line = chunk.toString().trimEnd()
    if (line.startsWith('n8n ')) onProgress(line)
  })
  const { failed, stderr } = await running
  return failed ? (stderr.at(-1) ?? 'npm could not resolve it.') : null
}

/** Installs n8n of that version if it is missing; returns its folder. */
export async function installN8n(
  { repository, tag }: { repository: string; tag: string },
  { signal, onProgress }: { signal: AbortSignal; onProgress(line: string): void },
): Promise<string> {
  const running = execa(paths.installRuntime, [tag], { reject: false, lines: true, detached: true })
  endAtExit(running.pid)
  const abort = () => killGroup(running.pid)
  signal.addEventListener('abort', abort)
  running.stderr.on('data', (chunk: Buffer) => onProgress(chunk.toString().trimEnd()))
  const { failed, stdout, stderr } = await running
  signal.removeEventListener('abort', abort)
  signal.throwIfAborted()
  if (failed)
    throw invalid(
      'runtime-unavailable',
      `Expected to run ${repository}:${tag} on this machine, but it could not be installed.`,
      'Set image.tag to one of the versions under loadtests/runtimes.',
      stderr.slice(-15),
    )
  return stdout.at(-1)!
}
