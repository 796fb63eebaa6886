import { readFile } from 'node:fs/promises'
import { textOf } from '../../lib/await.ts'
import type { RunningProcess } from '../target.ts'
import type { Member } from './images/image.ts'
import { usageOf } from './usage.ts'

/** A container's processes, each watched separately. A process without a member in its environment is the master. */
export function membersOf(
  container: RunningProcess,
  members: Member[],
  pids: () => Promise<number[]>,
  metricsUrl: string,
): RunningProcess[] {
  const nameOf = rememberNames()
  return members.map(({ name, serves }) => ({
    ...container,
    name: `${container.name}-${name}`,
    serves,
    // The container's inspector is that of one process, whichever opened it first.
    keptHeap: undefined,
    async usage() {
      const named = await Promise.all((await pids()).map(async (pid) => ({ pid, name: await nameOf(pid) })))
      return usageOf(
        null,
        named.filter((one) => one.name === name).map(({ pid }) => pid),
      )
    },
    metrics: (timeout) => textOf(`${metricsUrl}/metrics/${name}`, timeout),
  }))
}

/** The environment of a process stays the same while it lives. */
function rememberNames(): (pid: number) => Promise<string> {
  const names = new Map<number, string>()
  return async (pid) => {
    const known = names.get(pid)
    if (known !== undefined) return known
    const environ = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    const name = /(?:^|\0)MEMBER=([^\0]+)/.exec(environ)?.[1] ?? 'master'
    if (environ) names.set(pid, name)
    return name
  }
}
