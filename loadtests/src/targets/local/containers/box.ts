import { execa } from 'execa'
import type { Box } from '../limits/limiter.ts'
import { groupOf, type Group } from './group.ts'

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
