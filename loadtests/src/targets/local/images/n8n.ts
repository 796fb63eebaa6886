import { join } from 'node:path'
import { execa } from 'execa'
import type { Image } from '../../../chart/plan.ts'
import { paths } from '../../../lib/paths.ts'
import { endAtExit, killGroup } from '../../../lib/processes.ts'
import { localErrors } from '../errors.ts'
import type { ImageOrder, LocalImage } from './image.ts'

export const n8nListens = { N8N_PORT: 5678, QUEUE_HEALTH_CHECK_PORT: 5678, N8N_RUNNERS_BROKER_PORT: 5679 }
/** A pod has its own network, but processes here share the machine's. */
export const n8nOnLoopback = { N8N_LISTEN_ADDRESS: '127.0.0.1', N8N_WORKER_SERVER_ADDRESS: '127.0.0.1' }

/**
 * Why that version cannot be installed here, in one sentence; null where it can. The first question about a version
 * takes npm a while.
 */
export async function refusalOfN8n(tag: string, onProgress: (line: string) => void): Promise<string | null> {
  const running = execa(paths.installRuntime, ['--resolve', tag], { reject: false, lines: true })
  running.stderr.on('data', (chunk: Buffer) => {
    const line = chunk.toString().trimEnd()
    if (line.startsWith('n8n ')) onProgress(line)
  })
  const { failed, stderr } = await running
  return failed ? (stderr.at(-1) ?? 'npm could not resolve it.') : null
}

/** Installs n8n of that version if it is missing. */
export async function n8n(image: Image, order: ImageOrder): Promise<LocalImage> {
  const folder = await installN8n(image, order)
  const bin = join(folder, 'node_modules/.bin')
  return {
    kind: 'n8n',
    entrypoint: [join(bin, 'node'), join(folder, 'node_modules/n8n/bin/n8n')],
    env: { NODE_ENV: 'production', PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, LANG: 'C.UTF-8', ...n8nOnLoopback },
    listens: n8nListens,
    user: null,
  }
}

/** The folder of that version. */
export async function installN8n({ repository, tag }: Image, { signal, onProgress }: ImageOrder): Promise<string> {
  const running = execa(paths.installRuntime, [tag], { reject: false, lines: true, detached: true })
  endAtExit(running.pid)
  const abort = () => killGroup(running.pid)
  signal.addEventListener('abort', abort)
  running.stderr.on('data', (chunk: Buffer) => onProgress(chunk.toString().trimEnd()))
  const { failed, stdout, stderr } = await running
  signal.removeEventListener('abort', abort)
  signal.throwIfAborted()
  if (failed) throw localErrors.runtimeFailed(`${repository}:${tag}`, stderr.slice(-15))
  return stdout.at(-1)!
}
