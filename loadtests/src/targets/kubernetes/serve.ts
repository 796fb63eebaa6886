import { readFile } from 'node:fs/promises'
import type { Limits } from '../../chart/plan.ts'
import { until } from '../../lib/await.ts'
import { readinessErrors } from '../readiness-errors.ts'
import type { Api } from './api.ts'
import type { Home } from './homes.ts'
import type { Images } from './images.ts'
import { filesMap, pod } from './manifests.ts'
import { programStarted } from './program.ts'

const port = 8080
const user = 1000
const patience = 30_000

/** Runs a server of the lab on the Node of n8n's image, as a small pod. */
export async function servePod(
  api: Api,
  home: Home,
  name: string,
  file: string,
  limits: Limits,
  images: Images,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { namespace } = home
  const core = `/api/v1/namespaces/${namespace}`
  // Under this name every release of Node reads it: the lab's servers are plain JavaScript.
  await api.create(`${core}/configmaps`, filesMap(name, home, { 'server.mjs': await readFile(file, 'utf8') }))
  await api.create(
    `${core}/pods`,
    pod(
      {
        name,
        home,
        image: images.n8n,
        user,
        command: ['node'],
        args: ['/files/server.mjs'],
        env: { HOST: '0.0.0.0', PORT: String(port) },
        files: name,
        limits,
      },
      images,
    ),
  )
  const stop = () => api.remove(`${core}/pods/${name}`)
  const { status } = await programStarted(api, namespace, name)
  const answers = await until(
    async () => (await api.ask(`${core}/pods/${name}:${port}/proxy/`, { timeout: 5000 }))?.status === 200,
    { timeout: patience, every: 50 },
  )
  if (!answers) {
    const log = await api.ask(`${core}/pods/${name}/log?tailLines=15`, { timeout: 5000 })
    throw readinessErrors.neverReady(
      `the server ${name}`,
      `it did not answer within ${patience / 1000} s`,
      'Run the command again on a quiet cluster.',
      log?.text.split('\n').filter(Boolean) ?? [],
    )
  }
  const host = status.podIP.includes(':') ? `[${status.podIP}]` : status.podIP
  return { url: `http://${host}:${port}/`, stop }
}
