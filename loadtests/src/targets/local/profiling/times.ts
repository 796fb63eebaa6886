import { readdir, readFile } from 'node:fs/promises'
import { readStat, ticksPerSecond } from '../../../lib/processes.ts'
import type { ProcessProfile, ThreadTime } from '../../profile.ts'

/** CPU seconds of a container's processes, and of the threads of the first process, at one moment. */
export interface Times {
  /** By thread id, the main thread first. */
  threads: Map<number, ThreadTime>
  /** The whole process, including ended threads. */
  own: number
  /** Ended child processes. */
  gone: number
  /** By process id, without the first process. */
  others: Map<number, { command: string; seconds: number }>
}

export async function timesOf(pid: number, pids: number[]): Promise<Times> {
  const [threads, others, stat] = await Promise.all([
    threadsOf(pid),
    othersOf(pids.filter((other) => other !== pid)),
    readFile(`/proc/${pid}/stat`, 'utf8'),
  ])
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [user, system, goneUser, goneSystem] = ticks.slice(11, 15) as [number, number, number, number]
  return { threads, others, own: (user + system) / ticksPerSecond, gone: (goneUser + goneSystem) / ticksPerSecond }
}

/** CPU seconds used between two moments. */
export function between(before: Times, after: Times): Pick<ProcessProfile, 'threads' | 'others'> {
  const threads = [...after.threads].map(([id, { name, seconds }]) => ({
    name,
    seconds: seconds - (before.threads.get(id)?.seconds ?? 0),
  }))
  const others = [...after.others].map(([pid, { command, seconds }]) => ({
    command,
    seconds: seconds - (before.others.get(pid)?.seconds ?? 0),
  }))
  // An ended child counts with its whole life, including the time before the first moment.
  const left = [...before.others].reduce((sum, [pid, { seconds }]) => sum + (after.others.has(pid) ? 0 : seconds), 0)
  return {
    threads: [...threads, { name: 'ended', seconds: atLeastNone(after.own - before.own - sum(threads)) }],
    others: [...others, { command: 'ended', seconds: atLeastNone(after.gone - before.gone - left) }],
  }
}

async function threadsOf(pid: number): Promise<Map<number, ThreadTime>> {
  const ids = (await readdir(`/proc/${pid}/task`)).map(Number).sort((a, b) => Number(b === pid) - Number(a === pid))
  const read = (id: number, file: string) => readFile(`/proc/${pid}/task/${id}/${file}`, 'utf8').catch(() => null)
  const found = await Promise.all(
    ids.map(async (id) => [id, await read(id, 'comm'), await read(id, 'schedstat')] as const),
  )
  return new Map(
    found.flatMap(([id, name, schedule]) =>
      name === null || schedule === null
        ? []
        : [[id, { name: name.trim(), seconds: Number(schedule.split(' ')[0]) / 1e9 }]],
    ),
  )
}

async function othersOf(pids: number[]): Promise<Times['others']> {
  const found = await Promise.all(
    pids.map(
      async (pid) =>
        [pid, await readStat(pid), await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')] as const,
    ),
  )
  return new Map(
    found.flatMap(([pid, stat, command]) =>
      stat === null ? [] : [[pid, { command: command.replaceAll('\0', ' ').trim(), seconds: stat.cpu }]],
    ),
  )
}

const sum = (all: { seconds: number }[]) => all.reduce((total, { seconds }) => total + seconds, 0)
/** The system counts a process in ticks, but its threads exactly. */
const atLeastNone = (seconds: number) => Math.max(0, seconds)
