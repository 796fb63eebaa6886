import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { until } from '../../loadtests/src/lib/await.ts'
import { groupMembers, killAll, signal } from '../../loadtests/src/lib/processes.ts'

/** One process of n8n, and the task runner it starts. */
export interface N8nProcess {
  log(): string
  /** As when the machine fails. */
  kill(): Promise<void>
  stop(): Promise<void>
}

interface Command {
  argv: [string, ...string[]]
  env: Record<string, string>
  cwd: string
  /** What it prints when it can work. */
  ready: string
}

export async function startProcess({ argv: [program, ...args], env, cwd, ready }: Command): Promise<N8nProcess> {
  const child = spawn(program, args, { env, cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text))
  const process = { log: () => log, kill: () => end(child, 'SIGKILL'), stop: () => end(child, 'SIGTERM') }
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  await until(async () => isOver() || log.includes(ready), { timeout: 120_000, every: 50 })
  if (log.includes(ready) && !isOver()) return process
  await process.kill()
  throw new Error(`Expected n8n to print "${ready}" within 120 s, got:\n${log.slice(-3000)}`)
}

async function end(child: ChildProcess, how: NodeJS.Signals): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    signal(child.pid!, how)
    const patience = setTimeout(() => signal(child.pid!, 'SIGKILL'), 10_000)
    await ended
    clearTimeout(patience)
  }
  await killAll(() => groupMembers(child.pid!))
}
