import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

/**
 * A command that ends with the lab, also when that is killed: its keeper's input ends then. What it leaves in the
 * folder goes with it. To be ended by its group.
 */
export function spawnWithLab(
  command: string,
  args: string[],
  folder = '',
): ChildProcessByStdio<Writable, Readable, null> {
  const keeper = `"$@" & kept=$!; trap 'kill $kept; rm -rf "$0"' EXIT; read -r forever`
  return spawn('sh', ['-c', keeper, folder, command, ...args], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
}
