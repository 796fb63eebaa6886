import { access, constants, mkdir, readFile, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fromKernel } from '../../../lib/processes.ts'
import { type Hierarchy, readField, readNumber, throttlingIn, write } from './cgroup.ts'

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

/** Null if its controllers are not mounted or not writable. */
export async function cgroupV1(): Promise<Hierarchy | null> {
  const mounts = await controllerMounts()
  const controllers = ['memory', 'cpu', 'cpuacct'].map((name) => mounts.get(name))
  if (!(await writable(controllers))) return null
  // cpu and cpuacct are often one mount.
  const roots = [...new Set(controllers as string[])]
  const [memory, cpu, accounting] = controllers.map((mount) => roots.indexOf(mount!)) as [number, number, number]
  return {
    kind: 'cgroup v1',
    roots,
    async prepare() {},
    async limit(folders, limits) {
      if (limits.memory !== null) {
        await write(join(folders[memory]!, 'memory.limit_in_bytes'), Math.floor(limits.memory))
        // Kubernetes grants no swap. The file is absent if the kernel does not count swap.
        await write(join(folders[memory]!, 'memory.memsw.limit_in_bytes'), Math.floor(limits.memory)).catch(() => {})
      }
      if (limits.cpu !== null) {
        await write(join(folders[cpu]!, 'cpu.cfs_period_us'), period)
        await write(join(folders[cpu]!, 'cpu.cfs_quota_us'), Math.round(limits.cpu * period))
      }
    },
    async cpuSeconds(folders) {
      const nanoseconds = fromKernel(join(folders[accounting]!, 'cpuacct.usage'))
      return nanoseconds === null ? null : Number(nanoseconds) / 1e9
    },
    throttling: (folders) => throttlingIn(folders[cpu]!),
    memoryPeak: (folders) => readNumber(join(folders[memory]!, 'memory.max_usage_in_bytes')),
    oomKills: async (folders) => (await readField(join(folders[memory]!, 'memory.oom_control'), 'oom_kill')) ?? 0,
  }
}

async function controllerMounts(): Promise<Map<string, string>> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '')
  const lines = mounts.split('\n').map((line) => line.split(' '))
  return new Map(
    lines
      .filter(([, , type]) => type === 'cgroup')
      .flatMap(([, point, , options]) => options!.split(',').map((option) => [option, point!])),
  )
}

async function writable(folders: (string | undefined)[]): Promise<boolean> {
  const checks = folders.map((folder) => (folder ? access(folder, constants.W_OK) : Promise.reject()))
  return Promise.all(checks).then(
    () => true,
    () => false,
  )
}
