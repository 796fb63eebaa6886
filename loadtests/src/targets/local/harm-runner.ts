import { readFile } from 'node:fs/promises'
import { faultErrors } from '../../fault/fault-errors.ts'
import type { Started } from './ready.ts'

/** n8n's program for the code of Code nodes; n8n starts it, and again when it ends. */
const isRunner = (program: string) => program.includes('task-runner')

const signals = { kill: 'SIGKILL', end: 'SIGTERM', freeze: 'SIGSTOP' } as const

/** A signal to one task runner of the pods that execute workflows; the function lets a frozen one go on. */
export async function harmRunner(how: keyof typeof signals, started: Started[]): Promise<() => Promise<void>> {
  const workers = of(started, 'worker')
  const executing = workers.length > 0 ? workers : of(started, 'main')
  const pids = await Promise.all(
    executing.flatMap(({ containers }) => [...containers.values()].map((one) => one.pids())),
  )
  for (const pid of pids.flat()) {
    if (!(await isRunnerAt(pid))) continue
    process.kill(pid, signals[how])
    return async () => {
      // n8n may have ended a frozen one.
      if (how === 'freeze' && (await isRunnerAt(pid))) process.kill(pid, 'SIGCONT')
    }
  }
  throw faultErrors.noRunner()
}

const isRunnerAt = async (pid: number) => isRunner(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))

const of = (started: Started[], component: string) => started.filter(({ pod }) => pod.workload.component === component)
