import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readStat } from '../../loadtests/src/lib/processes.ts'

export interface Owner {
  inBox: number
  outside: number
  scratch: string
  /** Folders of the box of control groups; none where this machine has none. */
  groups: string[]
  /** As when the lab is killed: it cannot clean up. */
  kill(): Promise<void>
  /** As when the lab gets a second signal to stop. */
  exit(): Promise<void>
}

/** A lab in a process of its own, with something running. */
export async function startOwner(): Promise<Owner> {
  const child = spawn(process.execPath, ['--no-warnings', join(import.meta.dirname, 'owner.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  const { inBox, outside, scratch } = JSON.parse(said.toString())
  return {
    inBox,
    outside,
    scratch,
    groups: await groupsOf(inBox),
    kill: () => end(child, 'SIGKILL'),
    exit: () => end(child, 'SIGTERM'),
  }
}

/** The folders of this project's control groups that a process is in. */
export async function groupsOf(pid: number): Promise<string[]> {
  const lines = (await readFile(`/proc/${pid}/cgroup`, 'utf8')).trim().split('\n')
  return lines
    .map((line) => line.split(':') as [string, string, string])
    .filter(([, , path]) => path.includes('n8n-tuned'))
    .map(([, controllers, path]) => join('/sys/fs/cgroup', controllers, path))
    .filter(existsSync)
}

export const isRunning = async (pid: number) => !['Z', undefined].includes((await readStat(pid))?.state)

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}
