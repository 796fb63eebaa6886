import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Sends SIGKILL until none is left: a process may fork during the search. */
export async function killAll(find: () => Promise<number[]>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const pids = await find()
    if (pids.length === 0) return
    for (const pid of pids) signal(pid, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** False if the process has already ended. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch {
    return false
  }
}

/** Ends a child that leads its own process group, with all its children. */
export function killGroup(leader: number | undefined): void {
  if (leader !== undefined) signal(-leader, 'SIGKILL')
}

/** Living members of a process group; zombies count as ended. */
export async function groupMembers(group: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const stats = await Promise.all(pids.map(readStat))
  return stats.filter((stat) => stat !== null && stat.group === group && stat.state !== 'Z').map((stat) => stat!.pid)
}

export interface ProcessStat {
  pid: number
  state: string
  group: number
  /** CPU seconds, user and system. */
  cpu: number
  /** Start time since boot, which distinguishes a process from a later one with the same id. */
  started: number
  /** Resident bytes. */
  rss: number
}

export const ticksPerSecond = 100
const pageSize = 4096

/** Resident bytes that several processes can share: mapped files, and shared memory. */
export async function sharedBytes(pid: number): Promise<number> {
  return Number((fileOf(pid, 'statm') ?? '0 0 0').split(' ')[2]) * pageSize
}

export async function readStat(pid: number): Promise<ProcessStat | null> {
  const text = fileOf(pid, 'stat')
  return text === null ? null : parseStat(pid, text)
}

/**
 * Seconds that its first thread ran, and that it waited for a core although it had something to do; null where the
 * kernel does not count them. A CPU limit that stops it makes it wait, too.
 */
export function turnsOf(pid: number): { ran: number; waited: number } | null {
  const [ran, waited] = (fileOf(pid, 'schedstat') ?? '').split(' ').map((nanoseconds) => Number(nanoseconds) / 1e9)
  return ran && waited !== undefined ? { ran, waited } : null
}

/** Its start time, read synchronously; null if it has ended. */
export function startOf(pid: number): number | null {
  const text = fileOf(pid, 'stat')
  return text === null ? null : parseStat(pid, text).started
}

const fileOf = (pid: number, name: string) => fromKernel(`/proc/${pid}/${name}`)

/**
 * The content of a file of the kernel; null if it is gone. The read is synchronous: the kernel answers from memory, so
 * this costs a fraction of waiting, and it happens every second.
 */
export function fromKernel(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function parseStat(pid: number, text: string): ProcessStat {
  // The name in parentheses may contain spaces, so the fields start after its end.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return {
    pid,
    state: fields[0]!,
    group: Number(fields[2]),
    cpu: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    started: Number(fields[19]),
    rss: Number(fields[21]) * pageSize,
  }
}
