import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../../support/await.ts'
import { killGroup } from '../../support/processes.ts'
import { openApi, type Api } from './api.ts'
import type { Context } from './context.ts'
import { clusterErrors } from './errors.ts'
import { spawnWithLab } from './spawn-with-lab.ts'

const patience = 10_000

/** Reaches the API server through a socket in the lab's own folder, which no other user of this machine can open. */
export async function openCluster({ name }: Context, scratch: string): Promise<Api> {
  const folder = await mkdtemp(join(scratch, 'proxy-'))
  const socket = join(folder, 'api')
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
