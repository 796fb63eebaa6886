import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '../../loadtests/src/await.ts'
import { freePorts } from '../../loadtests/src/ports.ts'
import { groupMembers, killAll, signal } from '../../loadtests/src/processes.ts'
import { installNodes, isLine0, runtime, type Version } from './runtime.ts'

const run = promisify(execFile)

export interface N8n {
  url: string
  pid: number
  log(): string
  /** A counter of executions, such as n8n_workflow_success_total; 0 until n8n lists it, which it does from the first event on. */
  count(metric: string, workflowId: string): Promise<number>
  stop(): Promise<void>
}

/** A real n8n of its own on a free loopback port, with this project's nodes and these workflow files active. */
export async function startN8n(version: Version, workflows: string[], env: Record<string, string> = {}): Promise<N8n> {
  const { node, n8n, folder } = runtime(version)
  const home = await mkdtemp(join(tmpdir(), 'n8n-tuned-test-'))
  const [port, brokerPort] = (await freePorts(2)) as [number, number]
  const surroundings = {
    PATH: `${join(folder, 'node_modules/.bin')}:/usr/bin:/bin`,
    HOME: home,
    NODE_ENV: 'production',
    N8N_PORT: String(port),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_RUNNERS_BROKER_PORT: String(brokerPort),
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_METRICS: 'true',
    N8N_METRICS_INCLUDE_MESSAGE_EVENT_BUS_METRICS: 'true',
    N8N_METRICS_INCLUDE_WORKFLOW_ID_LABEL: 'true',
    ...env,
  }
  installNodes(join(home, '.n8n/nodes/node_modules'))
  await seed((...args) => run(node, [n8n, ...args], { env: surroundings, cwd: home }), version, workflows, join(home, 'workflows'))

  let log = ''
  // A group of its own: n8n starts a task runner, and in 0.x a process an execution.
  const child = spawn(node, [n8n, 'start'], { env: surroundings, cwd: home, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (log += chunk))
  const stop = async () => {
    await end(child)
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }

  const url = `http://127.0.0.1:${port}`
  const paths = (await Promise.all(workflows.map(webhookPaths))).flat()
  const isReady = async () => log.includes('Editor is now accessible') && (await Promise.all(paths.map((path) => isRegistered(`${url}/webhook/${path}`)))).every(Boolean)
  const ready = await until(async () => child.exitCode !== null || (await isReady()), { timeout: 60_000, every: 50 })
  if (!ready || child.exitCode !== null) {
    await stop()
    throw new Error(`Expected n8n ${version} to start, got ${child.exitCode === null ? 'no answer in 60 s' : `exit code ${child.exitCode}`}:\n${log.slice(-2000)}`)
  }
  return {
    url,
    pid: child.pid!,
    log: () => log,
    async count(metric, workflowId) {
      const text = await (await fetch(`${url}/metrics`)).text()
      const line = text.split('\n').find((one) => one.startsWith(`${metric}{`) && one.includes(`workflow_id="${workflowId}"`))
      return Number(line?.split(' ').at(-1) ?? 0)
    },
    stop,
  }
}

/** Imports the files as they are and publishes them, all with n8n's own command line and before its first start. */
async function seed(cli: (...args: string[]) => Promise<unknown>, version: Version, workflows: string[], folder: string): Promise<void> {
  if (!workflows.length) return
  await mkdir(folder)
  for (const file of workflows) cpSync(file, join(folder, basename(file)))
  await cli('import:workflow', '--separate', `--input=${folder}`)
  for (const file of workflows) {
    const { id } = JSON.parse(await readFile(file, 'utf8'))
    await (isLine0(version) ? cli('update:workflow', `--id=${id}`, '--active=true') : cli('publish:workflow', `--id=${id}`))
  }
}

async function webhookPaths(file: string): Promise<string[]> {
  const { nodes } = JSON.parse(await readFile(file, 'utf8')) as { nodes: { type: string; parameters: { path: string } }[] }
  return nodes.filter(({ type }) => type === 'n8n-nodes-base.webhook').map(({ parameters }) => parameters.path)
}

/**
 * Asks as a browser does before it calls, which calls nothing. 2.x registers webhooks a while after it says that
 * it is ready, and answers this with 500 until then.
 */
async function isRegistered(webhook: string): Promise<boolean> {
  const headers = { origin: 'http://localhost', 'access-control-request-method': 'GET' }
  const response = await fetch(webhook, { method: 'OPTIONS', headers })
  await response.arrayBuffer()
  return response.status === 204
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    signal(child.pid!, 'SIGTERM')
    // Longer than n8n takes and shorter than it waits for executions.
    const patience = setTimeout(() => signal(child.pid!, 'SIGKILL'), 5000)
    await ended
    clearTimeout(patience)
  }
  await killAll(() => groupMembers(child.pid!))
}
