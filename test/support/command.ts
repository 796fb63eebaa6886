import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

export interface Said {
  exit: number
  out: string
  err: string
}

/** Runs the command as its users do: a process of its own, on the Node that the project brings. */
export const command = (...words: string[]): Promise<Said> => commandWith({}, ...words)

/** The same with other variables. */
export async function commandWith(env: Record<string, string>, ...words: string[]): Promise<Said> {
  const child = spawn(join(root, 'node_modules/.bin/node'), ['loadtests/src/main.ts', ...words], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
  const [exit] = (await once(child, 'close')) as [number]
  return { exit, ...said }
}
