import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { usage } from '../../lib/errors.ts'
import { until } from '../../lib/await.ts'
import { killGroup } from '../../lib/processes.ts'
import { makeScratch } from '../local/scratch.ts'
import { openClusterApi, type Api } from './api.ts'
import { kubectl, noCluster, spawnWithLab, type Context } from './kubectl.ts'

/** The cluster of a context, once its API server is reached. */
export interface Cluster {
  /** The context's name. */
  context: string
  api: Api
  close(): void
}

const patience = 10_000
/** The least of what kernels allow: 103 on macOS, 107 on Linux. */
const longestSocket = 103

/** Reaches the API server through a socket in the lab's own folder, which no other user of this machine can open. */
export async function openCluster({ name }: Context, scratch: string): Promise<Cluster> {
  const folder = await mkdtemp(join(scratch, 'proxy-'))
  const socket = join(folder, 'api')
  if (Buffer.byteLength(socket) > longestSocket)
    throw usage(
      'path-too-long',
      `Expected room for a socket of at most ${longestSocket} bytes in its path, got ${socket}.`,
      'Set XDG_RUNTIME_DIR or TMPDIR to a folder with a shorter path.',
    )
  const child = spawnWithLab(kubectl(name, 'proxy', `--unix-socket=${socket}`), folder)
  child.stdout.resume()
  const api = openClusterApi(socket)
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
    throw noCluster(`the cluster of the context ${name} to answer`, 'kubectl proxy did not answer')
  }
  return { context: name, api, close: () => void close() }
}

/** Reaches it for one question, and leaves nothing of that. */
export async function withCluster<Answer>(
  context: Context,
  ask: (cluster: Cluster) => Promise<Answer>,
): Promise<Answer> {
  const scratch = await makeScratch()
  try {
    const cluster = await openCluster(context, scratch.path)
    try {
      return await ask(cluster)
    } finally {
      cluster.close()
    }
  } finally {
    await scratch.remove()
  }
}
