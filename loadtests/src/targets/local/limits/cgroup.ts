import { lstatSync, readdirSync, rmdirSync } from 'node:fs'
import { readdir, rmdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { makeFolder } from '../../../lib/make-folder.ts'
import type { Limit } from '../../../model/result.ts'
import { fromKernel, isAlive, killAll } from '../../../lib/processes.ts'
import type { Throttling } from '../../../n8n/running.ts'
import type { Box, Limiter } from './limiter.ts'

/** The differences between the two versions of Linux control groups. */
export interface Hierarchy {
  kind: 'cgroup v1' | 'cgroup v2'
  /** Folders in which a group is made: one for each controller in v1, one in v2. */
  roots: string[]
  prepare(parents: string[]): Promise<void>
  limit(folders: string[], limits: Limit): Promise<void>
  cpuSeconds(folders: string[]): Promise<number | null>
  throttling(folders: string[]): Promise<Throttling | null>
  oomKills(folders: string[]): Promise<number>
  memoryPeak(folders: string[]): Promise<number | null>
}

const ours = 'n8n-tuned'

export function cgroupLimiter(hierarchy: Hierarchy, owner = process.pid): Limiter {
  const family = hierarchy.roots.map((root) => join(root, ours))
  const parents = family.map((folder) => join(folder, String(owner)))
  // After a second signal to stop. The processes have been ended by then, and only an empty group goes.
  const removeNow = () => parents.forEach(removeEmpty)
  process.on('exit', removeNow)
  return {
    kind: hierarchy.kind,
    enforced: true,
    async box(name, limits) {
      await makeAll(parents)
      await hierarchy.prepare(parents)
      const folders = parents.map((folder) => join(folder, name))
      await makeAll(folders)
      await hierarchy.limit(folders, limits)
      return cgroupBox(hierarchy, folders)
    },
    async sweep() {
      for (const folder of family) {
        for (const other of await subfolders(folder)) {
          if (isLeft(join(folder, other))) await removeTree(join(folder, other))
        }
      }
    },
    async close() {
      for (const folder of parents) await removeTree(folder)
      for (const folder of family) await rmdir(folder).catch(() => {}) // another run may still use it
      process.off('exit', removeNow)
    },
  }
}

/** Made by us, for a lab that is gone. */
function isLeft(folder: string): boolean {
  const owner = Number(basename(folder))
  return owner > 0 && !isAlive(owner) && lstatSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.()
}

export function cgroupBox(
  hierarchy: Pick<Hierarchy, 'cpuSeconds' | 'throttling' | 'oomKills' | 'memoryPeak'>,
  folders: string[],
): Box {
  return {
    // The shell joins the group before it becomes the program, so the program is limited from the beginning.
    wrap: (argv) => [
      '/bin/sh',
      '-c',
      `${folders.map((folder) => `echo $$ > '${folder}/cgroup.procs'`).join(' && ')} && exec "$@"`,
      'sh',
      ...argv,
    ],
    pids: () => pidsIn(folders[0]!),
    cpuSeconds: () => hierarchy.cpuSeconds(folders),
    throttling: () => hierarchy.throttling(folders),
    oomKills: () => hierarchy.oomKills(folders),
    memoryPeak: () => hierarchy.memoryPeak(folders),
    async remove() {
      for (const folder of folders) await removeTree(folder)
    },
  }
}

export async function pidsIn(folder: string): Promise<number[]> {
  const pids = (fromKernel(join(folder, 'cgroup.procs')) ?? '').split('\n').map(Number)
  // The kernel writes 0 for a process of another container, and a signal to 0 would reach the lab itself.
  return pids.filter((pid) => pid > 0)
}

/** A file of the kernel that holds one number. */
export async function readNumber(file: string): Promise<number | null> {
  const text = fromKernel(file)
  return text === null ? null : Number(text)
}

/** `key value` lines, as in cpu.stat and memory.events. */
export async function readField(file: string, key: string): Promise<number | null> {
  const line = (fromKernel(file) ?? '').split('\n').find((candidate) => candidate.startsWith(`${key} `))
  return line ? Number(line.split(' ')[1]) : null
}

/** The same in both versions, in the controller of the CPU. */
export async function throttlingIn(folder: string): Promise<Throttling | null> {
  const file = join(folder, 'cpu.stat')
  const [periods, stopped] = await Promise.all(['nr_periods', 'nr_throttled'].map((key) => readField(file, key)))
  return periods == null || stopped == null ? null : { periods, stopped }
}

async function makeAll(folders: string[]): Promise<void> {
  for (const folder of folders) makeFolder(folder)
}

/** A group can only be removed when it is empty, so everything inside ends first. */
async function removeTree(folder: string): Promise<void> {
  for (const child of await subfolders(folder)) await removeTree(join(folder, child))
  await killAll(() => pidsIn(folder))
  // The last process may still be ending, and for that moment the kernel reports the group as busy.
  for (let tries = 0; tries < 50; tries++) {
    const removed = await rmdir(folder).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    )
    if (removed) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function removeEmpty(folder: string): void {
  try {
    for (const child of readdirSync(folder, { withFileTypes: true }))
      if (child.isDirectory()) removeEmpty(join(folder, child.name))
    rmdirSync(folder)
  } catch {
    // It was never made, or something in it is still ending: then the next run removes it.
  }
}

async function subfolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
}

export async function write(file: string, value: string | number): Promise<void> {
  await writeFile(file, String(value))
}
