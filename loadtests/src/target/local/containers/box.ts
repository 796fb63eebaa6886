import { execa } from 'execa'
import type { Box } from '../limits/limiter.ts'
import { groupOf, type Group } from './group.ts'

/** What the runtime and the kernel know of a container, over all its lives. */
export function containerBox(program: string, name: string): Box {
  let lives = 0
  let group: Group | null = null
  let earlier = 0
  let present = 0
  let kills = 0

  const inspect = async (field: string) => {
    const { stdout, failed } = await execa(program, ['inspect', '--type', 'container', '--format', `{{.State.${field}}}`, name], { reject: false })
    return failed ? '' : stdout.trim()
  }

  async function find(): Promise<Group | null> {
    const life = lives
    const pid = group ? 0 : Number(await inspect('Pid'))
    const found = pid > 0 ? await groupOf(pid) : null
    if (found && life === lives) group = found
    return group
  }

  async function end(): Promise<void> {
    if ((await inspect('OOMKilled')) === 'true') kills++
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
    oomKills: async () => kills,
    end,
    remove: end,
  }
}
