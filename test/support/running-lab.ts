import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../loadtests/src/lib/await.ts'
import { root, type Said } from './command.ts'

/** The command, while it runs. */
export interface Lab {
  child: ChildProcess
  /** What it and all that it starts have in their environment or their arguments. */
  mark: string
  said: { out: string; err: string }
  ended: Promise<Said>
}

/** Everything that the lab starts is given a place below its own folder for temporary files. */
export function startLab(mark: string, words: string[], nodeArguments: string[] = []): Lab {
  mkdirSync(mark, { recursive: true })
  const child = spawn(
    join(root, 'node_modules/.bin/node'),
    ['--no-warnings', ...nodeArguments, 'loadtests/src/main.ts', ...words],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, TMPDIR: mark, XDG_RUNTIME_DIR: mark } },
  )
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
  const ended = once(child, 'close').then(([exit]) => ({ exit: exit as number, ...said }))
  return { child, mark, said, ended }
}

/** Resolves when the lab has said it; throws if it ends without. */
export async function says({ child, said }: Lab, text: string): Promise<void> {
  const over = () => child.exitCode !== null || child.signalCode !== null
  await until(async () => said.err.includes(text) || over(), { timeout: 300_000, every: 20 })
  if (!said.err.includes(text)) throw new Error(`Expected "${text}", got:\n${said.err}`)
}

export const fileOf = (pid: string | number, file: string) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** The processes of a lab, itself among them. */
export const pidsOf = (mark: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((pid) => ['environ', 'cmdline'].some((file) => fileOf(pid, file).includes(mark)))
    .map(Number)

/** What a lab that has ended left on this machine. */
export function leftOf({ child, mark }: Lab) {
  const folders = ['', 'cpu,cpuacct', 'cpuacct,cpu', 'cpu', 'memory'].map((controller) =>
    join('/sys/fs/cgroup', controller, 'n8n-tuned', String(child.pid)),
  )
  return {
    processes: pidsOf(mark).map((pid) => fileOf(pid, 'cmdline').replaceAll('\0', ' ')),
    groups: folders.filter(existsSync),
    // The folder of a user's runs may stay, without any.
    scratch: readdirSync(mark, { recursive: true }).filter((name) => !/^n8n-tuned(-\d+)?$/.test(String(name))),
  }
}

export const nothingLeft: ReturnType<typeof leftOf> = { processes: [], groups: [], scratch: [] }
