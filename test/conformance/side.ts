import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePorts } from '../../loadtests/src/lib/ports.ts'
import { runtime } from '../support/runtime.ts'
import type { Credential } from './case.ts'
import { sqlite, type Database } from './database.ts'
import { seed } from './seed.ts'
import { common } from './settings.ts'
import { startOutside, type Outside } from './outside.ts'
import { startProcess, type N8nProcess } from './process.ts'
import type { Setup, Stores } from './stores.ts'
import type { Workflow } from './workflow.ts'

const run = promisify(execFile)

export interface Role {
  name: 'main' | 'worker' | 'webhook'
  url: string
  /** n8n's user folder is `.n8n` in it. */
  home: string
}

/** One n8n, of one process or three, with what is seen of it from outside. */
export interface Side {
  version: string
  roles: Role[]
  /** Where the editor and the API are. */
  main: string
  /** Where webhooks are answered. */
  webhooks: string
  database: Database
  outside: Outside
  cli(...args: string[]): Promise<string>
  log(): string
  /** Every process at once, as when the machine fails, and then a start with what was stored. */
  crash(): Promise<void>
  /** In order, as at an upgrade. */
  restart(env?: Record<string, string>): Promise<void>
  stop(): Promise<void>
}

export interface SideOptions {
  version: string
  setup: Setup
  stores: Stores
  workflows: Workflow[]
  credentials: Credential[]
  /** The settings that differ on this side. */
  env: Record<string, string>
}

/** The line that shows that a process can work. */
const readiness = {
  main: 'Editor is now accessible',
  worker: 'n8n worker is now ready',
  webhook: 'Webhook listener waiting for requests',
}

export async function startSide({ version, setup, stores, workflows, credentials, env }: SideOptions): Promise<Side> {
  const { node, n8n, folder } = runtime(version)
  const place = await mkdtemp(join(tmpdir(), 'n8n-tuned-side-'))
  const names: Role['name'][] = setup === 'queue' ? ['main', 'worker', 'webhook'] : ['main']
  const ports = await freePorts(names.length * 2)
  const outside = await startOutside()
  const roles = names.map((name, index) => ({ name, url: `http://127.0.0.1:${ports[index]}`, home: join(place, name) }))
  const environment = (index: number, more: object) => ({
    ...common,
    PATH: `${join(folder, 'node_modules/.bin')}:/usr/bin:/bin`,
    HOME: roles[index]!.home,
    N8N_PORT: String(ports[index]),
    QUEUE_HEALTH_CHECK_PORT: String(ports[index]),
    N8N_RUNNERS_BROKER_PORT: String(ports[names.length + index]),
    // In queue mode the webhook processor answers what comes from outside.
    WEBHOOK_URL: `http://127.0.0.1:${ports.slice(0, names.length).at(-1)}/`,
    OUTSIDE: outside.url,
    ...stores.env,
    ...env,
    ...more,
  })
  let processes: N8nProcess[] = []
  const startAll = async (more: Record<string, string> = {}) => {
    processes = []
    const start = async (index: number) => {
      const { name, home } = roles[index]!
      const command = name === 'main' ? 'start' : name
      const one = await startProcess({
        argv: [node, n8n, command],
        env: environment(index, more),
        cwd: home,
        ready: readiness[name],
      })
      processes.push(one)
    }
    // The main process makes the tables.
    await start(0)
    await Promise.all(roles.slice(1).map((_, index) => start(index + 1)))
  }
  const cli = async (...args: string[]) => {
    try {
      return (await run(node, [n8n, ...args], { env: environment(0, {}), cwd: roles[0]!.home, maxBuffer: 2 ** 26 }))
        .stdout
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      throw new Error(`Expected n8n ${args.join(' ')} to end well, got:\n${(stdout + stderr).slice(-1500)}`, {
        cause: error,
      })
    }
  }
  const stop = async () => {
    await Promise.all(processes.map((one) => one.stop()))
    await outside.close()
    await stores.stop()
    await rm(place, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    for (const { home } of roles) await mkdir(join(home, '.n8n'), { recursive: true })
    await seed(cli, place, workflows, credentials, outside.url)
    await startAll()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    version,
    roles,
    main: roles[0]!.url,
    webhooks: roles.at(-1)!.url,
    database: stores.database ?? sqlite(join(roles[0]!.home, '.n8n/database.sqlite')),
    outside,
    cli,
    log: () => processes.map((one) => one.log()).join('\n'),
    async crash() {
      await Promise.all(processes.map((one) => one.kill()))
      await startAll()
    },
    async restart(more) {
      await Promise.all(processes.map((one) => one.stop()))
      await startAll(more)
    },
    stop,
  }
}
