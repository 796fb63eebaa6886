import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** As when it crashes; returns when it is gone. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
