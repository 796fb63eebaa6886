import { join } from 'node:path'
import { execa } from 'execa'
import type { Image } from '../../chart/plan.ts'
import { errors } from '../../errors.ts'
import { paths } from '../../paths.ts'
import { killGroup } from '../../processes.ts'
import type { Order } from '../target.ts'

/** What an image means on a machine without containers: a program and the environment it brings. */
export interface LocalImage {
  entrypoint: string[]
  env: Record<string, string>
  /** Ports it listens on unless told otherwise, by the variable that tells it. */
  listens: Record<string, number>
}

/** Installs the n8n of that version where it is missing. */
export async function localImage(image: Image, { signal, onProgress }: Pick<Order, 'signal' | 'onProgress'>): Promise<LocalImage> {
  const folder = await install(image, signal, onProgress)
  const bin = join(folder, 'node_modules/.bin')
  return {
    entrypoint: [join(bin, 'node'), join(folder, 'node_modules/n8n/bin/n8n')],
    env: { NODE_ENV: 'production', PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, LANG: 'C.UTF-8' },
    listens: { N8N_PORT: 5678, N8N_RUNNERS_BROKER_PORT: 5679 },
  }
}

async function install({ repository, tag }: Image, signal: AbortSignal, onProgress: Order['onProgress']): Promise<string> {
  const running = execa(paths.installRuntime, [tag], { reject: false, lines: true, detached: true })
  const abort = () => killGroup(running.pid)
  signal.addEventListener('abort', abort)
  running.stderr.on('data', (chunk: Buffer) => onProgress(chunk.toString().trimEnd()))
  const { failed, stdout, stderr } = await running
  signal.removeEventListener('abort', abort)
  signal.throwIfAborted()
  if (failed) throw errors.runtimeFailed(`${repository}:${tag}`, stderr.slice(-15))
  return stdout.at(-1)!
}
