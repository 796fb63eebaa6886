import { readFile } from 'node:fs/promises'
import { faultErrors } from '../../shared/fault-errors.ts'
import type { Started } from './ready.ts'

/** n8n's program for the code of Code nodes; n8n starts it, and again when it ends. */
const isRunner = (program: string) => program.includes('task-runner')

/** SIGKILL to one task runner of the pods that execute workflows. Nothing is left to end. */
export async function killRunner(started: Started[]): Promise<() => Promise<void>> {
  const workers = of(started, 'worker')
  const executing = workers.length > 0 ? workers : of(started, 'main')
  const pids = await Promise.all(
    executing.flatMap(({ containers }) => [...containers.values()].map((one) => one.pids())),
  )
  for (const pid of pids.flat()) {
    const program = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (!isRunner(program)) continue
    process.kill(pid, 'SIGKILL')
    return async () => {}
  }
  throw faultErrors.noRunner()
}

const of = (started: Started[], component: string) => started.filter(({ pod }) => pod.workload.component === component)
