import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { usage } from '../../lib/errors.ts'
import { until } from '../../lib/await.ts'
import { killGroup } from '../../lib/processes.ts'
import { openApi, type Api } from './api.ts'
import type { Context } from './context.ts'
import { clusterErrors } from './errors.ts'
import { spawnWithLab } from './spawn-with-lab.ts'

const patience = 10_000
/** The least of what kernels allow: 103 on macOS, 107 on Linux. */
const longestSocket = 103

/** Reaches the API server through a socket in the lab's own folder, which no other user of this machine can open. */
export async function openCluster({ name }: Context, scratch: string): Promise<Api> {
  const folder = await mkdtemp(join(scratch, 'proxy-'))
  const socket = join(folder, 'api')
  if (Buffer.byteLength(socket) > longestSocket)
    throw usage(
      'path-too-long',
      `Expected room for a socket of at most ${longestSocket} bytes in its path, got ${socket}.`,
      'Set XDG_RUNTIME_DIR or TMPDIR to a folder with a shorter path.',
    )
  const child = spawnWithLab('kubectl', ['--context', name, 'proxy', `--unix-socket=${socket}`], folder)
  child.stdout.resume()
  const api = openApi(socket)
  const close = async () => {
    api.close()
    killGroup(child.pid)
    await rm(folder, { recursive: true, force: true })
  }
  const answers = await until(async () => (await api.ask('/version', { timeout: patience }))?.status === 200, {
    timeout: patience,
    every: 50,
  })
  if (!answers) {
    await close()
    throw clusterErrors.noCluster(`the cluster of the context ${name} to answer`, 'kubectl proxy did not answer')
  }
  return { ...api, close: () => void close() }
}
