import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Fail } from '../../lib/fail.ts'
import { killGroup } from '../../lib/processes.ts'
import { endUntilGone } from './end.ts'
import type { Box } from './limits/limiter.ts'
import { openLog } from './log.ts'
import type { Command } from './pod.ts'

export interface Outcome {
  code: number | null
  log: string[]
}

/** Runs a command that ends by itself: an init container, or n8n's command line. */
export async function runOnce(
  command: Command,
  box: Box,
  options: { log: string; signal: AbortSignal; track: (pid: number) => void; fail?: Fail },
): Promise<Outcome> {
  const log = openLog(options.log, options.fail)
  const [program, ...args] = box.wrap(command.argv)
  const child = spawn(program!, args, {
    cwd: command.cwd,
    env: command.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close').catch((error: Error) => [null, error.message])
  if (child.pid) options.track(child.pid)
  log.follow(child.stdout)
  log.follow(child.stderr)
  const abort = () => (box.end ? void endUntilGone(() => box.end!(), closed) : killGroup(child.pid))
  options.signal.addEventListener('abort', abort)
  const [code] = await closed
  options.signal.removeEventListener('abort', abort)
  log.close()
  return { code, log: log.tail() }
}
