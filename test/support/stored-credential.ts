import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { status, until } from '../../loadtests/src/lib/await.ts'
import { freePorts } from '../../loadtests/src/lib/ports.ts'
import { killGroup } from '../../loadtests/src/lib/processes.ts'
import { runtime } from './runtime.ts'
import { write } from './temporary.ts'

export const programs = (version: string) => `${join(runtime(version).folder, 'node_modules/.bin')}:/usr/bin:/bin`

/** A database with a credential in it, both made by n8n's own command line. Its folder is `.n8n` in this one. */
export async function storeCredential(version: string, folder: string, env: Record<string, string>): Promise<void> {
  await mkdir(join(folder, '.n8n'), { recursive: true })
  const data = { name: 'X', value: 'secret' }
  const credential = { id: '1', name: 'kept', type: 'httpHeaderAuth', nodesAccess: [], data }
  const file = await write(folder, 'credentials.json', [credential])
  const { node, n8n } = runtime(version)
  const all = { PATH: programs(version), N8N_USER_FOLDER: folder, ...env }
  execFileSync(node, [n8n, 'import:credentials', `--input=${file}`], { env: all, stdio: 'ignore' })
}

/** n8n 2 makes keys of its own when it first starts. It is ended as soon as it is ready. */
export async function startOnce(version: string, folder: string, env: Record<string, string>): Promise<void> {
  await mkdir(join(folder, '.n8n'), { recursive: true })
  const { node, n8n } = runtime(version)
  const [port, brokerPort] = (await freePorts(2)) as [number, number]
  const here = { N8N_PORT: String(port), N8N_LISTEN_ADDRESS: '127.0.0.1', N8N_RUNNERS_BROKER_PORT: String(brokerPort) }
  const all = { PATH: programs(version), N8N_USER_FOLDER: folder, ...here, ...env }
  const child = spawn(node, [n8n, 'start'], { env: all, stdio: 'ignore', detached: true })
  const ready = async () => (await status(`http://127.0.0.1:${port}/healthz/readiness`)) === 200
  try {
    if (!(await until(ready, { timeout: 90_000, every: 200 })))
      throw new Error(`Expected n8n ${version} to be ready within 90 s.`)
  } finally {
    const ended = once(child, 'exit')
    killGroup(child.pid)
    await ended
  }
}
