import type { Usage } from '../target.ts'
import type { Shell } from './shell.ts'

/**
 * Reads the container's CPU time and memory from its control group (version 1 or 2), and its processes except this
 * shell. Uses only built-in commands of the shell, so it starts no process in the measured container.
 */
export const look = `
cat_() { while IFS= read -r line; do echo "$1 $line"; done <"$2"; } 2>/dev/null
[ -r /sys/fs/cgroup/cpu.stat ] && cat_ v2 /sys/fs/cgroup/cpu.stat
[ -r /sys/fs/cgroup/cpuacct/cpuacct.usage ] && cat_ v1 /sys/fs/cgroup/cpuacct/cpuacct.usage
[ -r /sys/fs/cgroup/cpu/cpu.stat ] && cat_ v1cpu /sys/fs/cgroup/cpu/cpu.stat
[ -r /sys/fs/cgroup/memory.stat ] && cat_ m2 /sys/fs/cgroup/memory.stat
[ -r /sys/fs/cgroup/memory/memory.stat ] && cat_ m1 /sys/fs/cgroup/memory/memory.stat
for stat in /proc/[0-9]*/stat; do [ "$stat" = "/proc/$$/stat" ] || cat_ stat "$stat"; done`

const ticksPerSecond = 100
const pageSize = 4096
const patience = 900

export async function usageBy(shell: Shell): Promise<Usage> {
  const lines = await shell.ask(patience)
  return lines ? readUsage(lines) : { cpuSeconds: null, rss: null, pids: 0 }
}

export function readUsage(lines: string[]): Usage {
  const after = (prefix: string) =>
    lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length))
  const stats = after('stat ')
    .map((line) => line.slice(line.lastIndexOf(')') + 2).split(' '))
    .filter(([state]) => state !== 'Z')
  const sum = (figures: number[]) => figures.reduce((total, figure) => total + figure, 0)
  const [v2] = after('v2 usage_usec ')
  const [v1] = after('v1 ')
  const ofProcesses = stats.length
    ? sum(stats.map((fields) => Number(fields[11]) + Number(fields[12]))) / ticksPerSecond
    : null
  const figures = (...names: string[]) =>
    names
      .map((name) => after(name)[0])
      .filter((figure) => figure !== undefined)
      .map(Number)
  // Processes of a database share most of their memory, so their sum could exceed the container's limit.
  const [group] = [figures('m2 anon ', 'm2 file_mapped '), figures('m1 total_rss ', 'm1 total_mapped_file ')].filter(
    ({ length }) => length === 2,
  )
  const [throttling] = [
    figures('v2 nr_periods ', 'v2 nr_throttled '),
    figures('v1cpu nr_periods ', 'v1cpu nr_throttled '),
  ].filter(({ length }) => length === 2)
  const rss = stats.length ? sum(stats.map((fields) => Number(fields[21]))) * pageSize : null
  return {
    cpuSeconds: v2 ? Number(v2) / 1e6 : v1 ? Number(v1) / 1e9 : ofProcesses,
    rss: group ? sum(group) : rss,
    pids: stats.length,
    ...(throttling && { throttling: { periods: throttling[0]!, stopped: throttling[1]! } }),
  }
}
