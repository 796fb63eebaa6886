import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

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
  return living()
    .filter((stat) => stat.group === group)
    .map(({ pid }) => pid)
}

/** Every process that has not ended; none where the system does not say. */
function living(): ProcessStat[] {
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch {
    return []
  }
  return names
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = statOf(Number(name))
      return stat && stat.state !== 'Z' ? [stat] : []
    })
}

/**
 * Ends process groups with all that their members started, without waiting for anything but the kernel. A process may
 * fork during the search, and PostgreSQL gives each of its processes a group of its own.
 */
export function killNow(groups: number[]): void {
  if (groups.length === 0) return
  const found = new Map<number, number>()
  for (let tries = 0; tries < 200; tries++) {
    const all = living()
    addFamily(found, groups, all)
    const left = all.filter(({ pid, started }) => found.get(pid) === started)
    if (left.length === 0) return
    for (const { pid } of left) signal(pid, 'SIGKILL')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
  }
}

/** Adds members of the groups, and children of what was found. By its start, a process differs from a later one. */
function addFamily(found: Map<number, number>, groups: number[], all: ProcessStat[]): void {
  const starts = new Map(all.map(({ pid, started }) => [pid, started]))
  const isFound = (pid: number) => found.has(pid) && [undefined, found.get(pid)].includes(starts.get(pid))
  const news = all.filter(
    ({ pid, parent, group }) => pid !== process.pid && !isFound(pid) && (groups.includes(group) || isFound(parent)),
  )
  if (news.length === 0) return
  for (const { pid, started } of news) found.set(pid, started)
  addFamily(found, groups, all)
}

const endingWithUs = new Map<number, number | null>()
process.on('exit', () => {
  const groups = [...endingWithUs].filter(([pid, started]) => started !== null && startOf(pid) === started)
  killNow(groups.map(([pid]) => pid))
})

/** A child that leads its own group ends with this process, even if nothing can be ended in order. */
export function endAtExit(pid: number | undefined): void {
  if (pid !== undefined) endingWithUs.set(pid, startOf(pid))
}

/**
 * What each living member of a group says about itself, if it runs as one of these users: its environment, its
 * arguments and its folder.
 */
export function leftOf(group: number, uids: Set<number>): string[] {
  return living()
    .filter((stat) => stat.group === group && uids.has(ownerOf(stat.pid)))
    .map(({ pid }) => [fileOf(pid, 'environ'), fileOf(pid, 'cmdline'), folderOf(pid)].join('\0'))
}

const ownerOf = (pid: number) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid ?? -1

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // It has ended.
    return ''
  }
}

export interface ProcessStat {
  pid: number
  state: string
  parent: number
  group: number
  /** CPU seconds, user and system. */
  cpu: number
  /** Start time since boot, which distinguishes a process from a later one with the same id. */
  started: number
  /** Resident bytes. */
  rss: number
}

export const ticksPerSecond = 100

/** Bytes of that many pages: 4 KiB each on most machines, up to 64 KiB on ARM and POWER. */
const pages = (count: number) => count * (pageSize ??= readPageSize())
let pageSize: number | undefined
const readPageSize = () =>
  1024 * Number(/^KernelPageSize: +(\d+) kB/m.exec(fromKernel('/proc/self/smaps') ?? '')?.[1] ?? 4)

/** Resident bytes that several processes can share: mapped files, and shared memory. */
export async function sharedBytes(pid: number): Promise<number> {
  return pages(Number((fileOf(pid, 'statm') ?? '0 0 0').split(' ')[2]))
}

export async function readStat(pid: number): Promise<ProcessStat | null> {
  return statOf(pid)
}

function statOf(pid: number): ProcessStat | null {
  const text = fileOf(pid, 'stat')
  return text === null ? null : parseStat(pid, text)
}

/**
 * Seconds that its first thread ran, and that it waited for a core although it had something to do; null where the
 * kernel does not count them. A CPU limit that stops it makes it wait, too.
 */
export function threadTurns(pid: number): { ran: number; waited: number } | null {
  const [ran, waited] = (fileOf(pid, 'schedstat') ?? '').split(' ').map((nanoseconds) => Number(nanoseconds) / 1e9)
  return ran && waited !== undefined ? { ran, waited } : null
}

/** Its start time, read synchronously; null if it has ended. */
export const startOf = (pid: number): number | null => statOf(pid)?.started ?? null

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
    parent: Number(fields[1]),
    group: Number(fields[2]),
    cpu: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    started: Number(fields[19]),
    rss: pages(Number(fields[21])),
  }
}

/**
 * Seconds for which these cores were busy since the machine started, whatever ran on them: k6, the lab, the stores
 * beside them, other programs. Null where the system does not say.
 */
export async function busySeconds(cores: number[]): Promise<number | null> {
  const text = await readFile('/proc/stat', 'utf8').catch(() => '')
  return busyIn(text, cores)
}

export function busyIn(stat: string, cores: number[]): number | null {
  const seen = cores.map((core) => new RegExp(`^cpu${core} (.+)$`, 'm').exec(stat)?.[1]?.split(' ').map(Number))
  if (cores.length === 0 || seen.includes(undefined)) return null
  // user nice system idle iowait irq softirq steal: what its host took is not free, what waits for a disk is.
  const ticks = seen.map((times) =>
    times!.slice(0, 8).reduce((sum, time, kind) => (kind === 3 || kind === 4 ? sum : sum + time), 0),
  )
  return ticks.reduce((a, b) => a + b, 0) / ticksPerSecond
}
