import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

/**
 * Starts a command that ends with the lab, even if the lab is killed: then the input of its keeper closes. The keeper
 * also removes the command's folder. The output ends with the command. To end both, end the process group.
 */
export function spawnWithLab(
  command: string,
  args: string[],
  folder = '',
): ChildProcessByStdio<Writable, Readable, null> {
  const keeper = `"$@" & kept=$!; exec >&-; trap 'kill $kept; rm -rf "$0"' EXIT; read -r forever`
  return spawn('sh', ['-c', keeper, folder, command, ...args], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
}
