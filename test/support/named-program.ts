import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach } from '@jest/globals'

const children: ChildProcess[] = []
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')))

/** A process with this name among its arguments, which ends with its test. */
export async function namedProgram(name: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', name])
  children.push(child)
  await once(child, 'spawn')
  return child
}
