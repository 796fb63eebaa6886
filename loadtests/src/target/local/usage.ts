import { readStat } from '../../processes.ts'
import type { Usage } from '../target.ts'

/** What the system says of these processes; their own CPU time where the container's is not counted. */
export async function usageOf(cpuSeconds: number | null, pids: number[]): Promise<Usage> {
  const stats = (await Promise.all(pids.map(readStat))).filter((stat) => stat !== null)
  return {
    cpuSeconds: cpuSeconds ?? stats.reduce((sum, { cpu }) => sum + cpu, 0),
    rss: stats.length ? stats.reduce((sum, { rss }) => sum + rss, 0) : null,
    pids: stats.length,
  }
}
