import { spawn, type ChildProcess } from 'node:child_process'
import { freePorts } from '../../../../../loadtests/src/lib/ports.ts'
import { groupMembers, signal } from '../../../../../loadtests/src/lib/processes.ts'

const alive: ChildProcess[] = []
afterAll(() => alive.splice(0).forEach(({ pid }) => signal(-pid!, 'SIGKILL')))

/** A Node process that opens its inspector when asked, once it printed its first line. */
export async function start(
  program: string,
): Promise<{ pid: number; address: string; members: () => Promise<number[]> }> {
  const [port] = (await freePorts(1)) as [number]
  const child = spawn(process.execPath, ['-e', program], {
    detached: true,
    env: { NODE_OPTIONS: `--inspect-port=127.0.0.1:${port}` },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  alive.push(child)
  await new Promise((resolve) => child.stdout!.once('data', resolve))
  return { pid: child.pid!, address: `127.0.0.1:${port}`, members: () => groupMembers(child.pid!) }
}
