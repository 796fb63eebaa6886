import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { fromKernel } from '../../../lib/processes.ts'
import { pidsIn, readNumber } from '../limits/cgroup.ts'
import { v2Readers } from '../limits/hierarchies.ts'
import type { Box } from '../limits/limiter.ts'

/** What the runtime and the kernel report about a container, over all its restarts. */
export function containerBox(program: string, name: string): Box {
  let lives = 0
  let group: Group | null = null
  let earlier = 0
  let present = 0
  let kills = 0

  const inspect = async (format: string) => {
    const { stdout, failed } = await execa(program, ['inspect', '--type', 'container', '--format', format, name], {
      reject: false,
    })
    return failed ? [] : stdout.trim().split(' ')
  }

  async function find(): Promise<Group | null> {
    const life = lives
    const pid = group ? 0 : Number((await inspect('{{.State.Pid}}'))[0])
    const found = pid > 0 ? await groupOf(pid) : null
    if (found && life === lives) group = found
    return group
  }

  async function end(): Promise<void> {
    const [id, killed, code] = await inspect('{{.Id}} {{.State.OOMKilled}} {{.State.ExitCode}}')
    if (killed === 'true' || (code === '137' && (await kernelKilled(id!)))) kills++
    await execa(program, ['rm', '--force', '--volumes', name], { reject: false })
  }

  return {
    wrap(argv) {
      lives++
      earlier += present
      present = 0
      group = null
      return argv
    },
    pids: async () => (await find())?.pids() ?? [],
    async cpuSeconds() {
      present = (await (await find())?.cpuSeconds()) ?? present
      return earlier + present
    },
    memoryPeak: async () => (await (await find())?.memoryPeak()) ?? null,
    oomKills: async () => kills,
    end,
    remove: end,
  }
}

/**
 * On some machines with control groups v1, Podman's monitor misses kills. The kernel's log names the group, and so the
 * container.
 */
async function kernelKilled(id: string): Promise<boolean> {
  const { stdout } = await execa('dmesg', { reject: false })
  return (stdout ?? '').split('\n').some((line) => line.includes('oom-kill') && line.includes(id))
}

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
