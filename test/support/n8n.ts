import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '../../loadtests/src/lib/await.ts'
import { freePorts } from '../../loadtests/src/lib/ports.ts'
import { groupMembers, killAll, signal } from '../../loadtests/src/lib/processes.ts'
import { isRegistered, seed, webhookPaths } from './n8n-seed.ts'
import { installNodes, runtime, type Version } from './runtime.ts'

const run = promisify(execFile)

export interface N8n {
  url: string
  readonly pid: number
  log(): string
  /**
   * A counter of executions, such as n8n_workflow_success_total; 0 until n8n lists it, which it does from the first
   * event on.
   */
  count(metric: string, workflowId: string): Promise<number>
  /** Starts a worker beside it; n8n has to be in queue mode. It ends with this n8n at the latest. */
  startWorker(): Promise<Worker>
  /** As after a crash: it is killed, and started again with what it had stored. */
  crash(): Promise<void>
  stop(): Promise<void>
}

export interface Worker {
  pid: number
  kill(): Promise<void>
}

export interface Options {
  /** A free one by default. */
  port?: number
  env?: Record<string, string>
  /** As exported, decrypted. */
  credentials?: { id: string; name: string; type: string; data: object }[]
  /**
   * Puts this project's nodes into the home folder, and says what n8n has to be told of it. By default as npm would.
   */
  install?(home: string): Record<string, string>
}

const installAsNpm = (home: string) => {
  installNodes(join(home, '.n8n/nodes/node_modules'))
  return {}
}

/** A real n8n of its own on a free loopback port, with this project's nodes and these workflow files active. */
export async function startN8n(
  version: Version,
  workflows: string[],
  { port: givenPort, env, credentials = [], install = installAsNpm }: Options = {},
): Promise<N8n> {
  const { node, n8n, folder } = runtime(version)
  const home = await mkdtemp(join(tmpdir(), 'n8n-tuned-test-'))
  const [freePort, brokerPort] = (await freePorts(2)) as [number, number]
  const port = givenPort ?? freePort
  await mkdir(join(home, '.n8n'))
  const surroundings: Record<string, string> = {
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
    ...install(home),
    ...env,
  }
  let log = ''
  const children: ChildProcess[] = []
  const stop = async () => {
    await Promise.all(children.map(end))
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
  // A group of its own: n8n starts a task runner, and in 0.x a process an execution.
  const launch = (command: string, more: Record<string, string> = {}) => {
    const child = spawn(node, [n8n, command], {
      env: { ...surroundings, ...more },
      cwd: home,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (log += chunk))
    return child
  }

  const url = `http://127.0.0.1:${port}`
  const paths = (await Promise.all(workflows.map(webhookPaths))).flat()
  const start = async () => {
    log = ''
    const child = launch('start')
    const isReady = async () =>
      log.includes('Editor is now accessible')
      && (await Promise.all(paths.map((path) => isRegistered(`${url}/webhook/${path}`)))).every(Boolean)
    const ready = await until(async () => child.exitCode !== null || (await isReady()), { timeout: 60_000, every: 50 })
    if (ready && child.exitCode === null) return child
    throw new Error(
      `Expected n8n ${version} to start, got `
        + `${child.exitCode === null ? 'no answer in 60 s' : `exit code ${child.exitCode}`}:\n${log.slice(-2000)}`,
    )
  }
  let main: ChildProcess
  try {
    await seed(
      (args, nodeFlags = []) => run(node, [...nodeFlags, n8n, ...args], { env: surroundings, cwd: home }),
      version,
      workflows,
      credentials,
      home,
    )
    main = await start()
  } catch (error) {
    await stop()
    throw error
  }

  return {
    url,
    get pid() {
      return main.pid!
    },
    log: () => log,
    async count(metric, workflowId) {
      const text = await (await fetch(`${url}/metrics`)).text()
      const line = text
        .split('\n')
        .find((one) => one.startsWith(`${metric}{`) && one.includes(`workflow_id="${workflowId}"`))
      return Number(line?.split(' ').at(-1) ?? 0)
    },
    async startWorker() {
      const [workerPort, workerBrokerPort] = (await freePorts(2)) as [number, number]
      // One line for each worker that has started before.
      const started = () => log.split('n8n worker is now ready').length
      const before = started()
      const child = launch('worker', {
        // It serves metrics there, by default on 5678, which the worker of another test may have.
        QUEUE_HEALTH_CHECK_PORT: String(workerPort),
        N8N_RUNNERS_BROKER_PORT: String(workerBrokerPort),
      })
      if (!(await until(async () => started() > before, { timeout: 60_000, every: 50 })))
        throw new Error(`Expected a worker of n8n ${version} to start, got:\n${log.slice(-2000)}`)
      return { pid: child.pid!, kill: () => kill(child) }
    },
    async crash() {
      await kill(main)
      main = await start()
    },
    stop,
  }
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
  await killAll(() => groupMembers(child.pid!))
  await ended
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
