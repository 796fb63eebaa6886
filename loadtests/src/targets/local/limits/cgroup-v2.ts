import { access, constants, mkdir, readFile, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readField, readNumber, throttlingIn, write, type Hierarchy } from './cgroup.ts'

const root = '/sys/fs/cgroup'
const period = 100_000

export const v2Readers = {
  async cpuSeconds([folder]: string[]) {
    const microseconds = await readField(join(folder!, 'cpu.stat'), 'usage_usec')
    return microseconds === null ? null : microseconds / 1e6
  },
  throttling: ([folder]: string[]) => throttlingIn(folder!),
  // Kernels before 5.19 do not have this file.
  memoryPeak: ([folder]: string[]) => readNumber(join(folder!, 'memory.peak')),
  oomKills: async ([folder]: string[]) => (await readField(join(folder!, 'memory.events'), 'oom_kill')) ?? 0,
}

/** Null if the unified hierarchy is not mounted, or not writable for us. */
export async function cgroupV2(): Promise<Hierarchy | null> {
  const hierarchy: Hierarchy = {
    kind: 'cgroup v2',
    roots: [root],
    async prepare([parent]) {
      for (const folder of [root, join(parent!, '..'), parent!])
        await write(join(folder, 'cgroup.subtree_control'), '+cpu +memory')
    },
    async limit([folder], limits) {
      if (limits.memory !== null) {
        await write(join(folder!, 'memory.max'), Math.floor(limits.memory))
        await write(join(folder!, 'memory.swap.max'), 0).catch(() => {}) // absent without swap
      }
      if (limits.cpu !== null) await write(join(folder!, 'cpu.max'), `${Math.round(limits.cpu * period)} ${period}`)
    },
    ...v2Readers,
  }
  return (await isOurs()) ? hierarchy : null
}

/** Only a try shows it: permissions alone do not reveal the rules of a container or a delegation. */
async function isOurs(): Promise<boolean> {
  const probe = join(root, `n8n-tuned-probe-${process.pid}`)
  try {
    const controllers = await readFile(join(root, 'cgroup.controllers'), 'utf8')
    if (!/\bcpu\b/.test(controllers) || !/\bmemory\b/.test(controllers)) return false
    await access(root, constants.W_OK)
    await write(join(root, 'cgroup.subtree_control'), '+cpu +memory')
    await mkdir(probe)
    return true
  } catch {
    return false
  } finally {
    await rmdir(probe).catch(() => {})
  }
}
