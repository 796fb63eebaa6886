import { access, constants, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromKernel } from '../../../lib/processes.ts'
import { readField, readNumber, throttlingIn, write, type Hierarchy } from './cgroup.ts'

const period = 100_000

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
