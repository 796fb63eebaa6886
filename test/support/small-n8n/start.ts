import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { status, textOf, until } from '../../../loadtests/src/lib/await.ts'
import { kill } from '../kill.ts'
import { freePorts } from '../../../loadtests/src/lib/ports.ts'
import { usageOf } from '../../../loadtests/src/targets/local/usage.ts'
import type { RunningProcess } from '../../../loadtests/src/n8n/running.ts'

export interface SmallN8n {
  url: string
  /** As a target returns it to its watcher. */
  process: RunningProcess
  get(path: string): Promise<string>
  /** Kills it, and starts it again on the same port. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startSmallN8n(name = 'main-0'): Promise<SmallN8n> {
  const [port] = (await freePorts(1)) as [number]
  const url = `http://127.0.0.1:${port}`
  let child = await start(port)
  return {
    url,
    process: {
      name,
      limits: { cpu: null, memory: null },
      serves: true,
      usage: () => usageOf(null, [child.pid!]),
      metrics: (timeout) => textOf(`${url}/metrics`, timeout),
    },
    get: async (path) => (await fetch(url + path)).text(),
    async restart() {
      await kill(child)
      child = await start(port)
    },
    stop: () => kill(child),
  }
}

async function start(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'serve.mjs'), String(port)], { stdio: 'inherit' })
  const ready = await until(async () => (await status(`http://127.0.0.1:${port}/healthz/readiness`)) === 200, {
    timeout: 30_000,
    every: 20,
  })
  if (!ready) throw new Error('Expected the small n8n to answer within 20 s, got nothing')
  return child
}
