import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromKernel } from '../../../lib/processes.ts'
import { v2Readers } from '../limits/cgroup-v2.ts'
import { pidsIn, readNumber } from '../limits/cgroup.ts'

/** The control group that a runtime made for a container. */
export interface Group {
  pids(): Promise<number[]>
  cpuSeconds(): Promise<number | null>
  memoryPeak(): Promise<number | null>
}

/** Reading from the kernel costs almost nothing; calling the runtime every second would show in the measurement. */
export async function groupOf(pid: number): Promise<Group | null> {
  const lines = (await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '')).trim().split('\n')
  const groups = lines.map((line) => /^\d+:([^:]*):(.*)$/.exec(line)!).filter(Boolean)
  const counting = groups.find(([, controllers]) => controllers!.split(',').includes('cpuacct'))
  const unified = groups.find(([, controllers]) => controllers === '')
  if (counting) {
    const folder = join('/sys/fs/cgroup', counting[1]!, counting[2]!)
    const memory = groups.find(([, controllers]) => controllers === 'memory')
    const peak = memory && join('/sys/fs/cgroup/memory', memory[2]!, 'memory.max_usage_in_bytes')
    return {
      pids: () => pidsIn(folder),
      cpuSeconds: () => nanoseconds(join(folder, 'cpuacct.usage')),
      memoryPeak: async () => (peak ? readNumber(peak) : null),
    }
  }
  if (!unified) return null
  const folder = join('/sys/fs/cgroup', unified[2]!)
  return {
    pids: () => pidsIn(folder),
    cpuSeconds: () => v2Readers.cpuSeconds([folder]),
    memoryPeak: () => v2Readers.memoryPeak([folder]),
  }
}

async function nanoseconds(file: string): Promise<number | null> {
  const text = fromKernel(file)
  return text === null ? null : Number(text) / 1e9
}
