import { readStat, sharedBytes, type ProcessStat } from '../../lib/processes.ts'
import type { Usage } from '../../n8n/running.ts'

/**
 * What the system reports about these processes, with their own CPU time where the container's is not counted.
 * `charged`: the most memory that the kernel counted.
 */
export async function usageOf(
  cpuSeconds: number | null,
  pids: number[],
  charged: number | null = null,
): Promise<Usage> {
  const stats = (await Promise.all(pids.map(readStat))).filter((stat) => stat !== null)
  return {
    cpuSeconds: cpuSeconds ?? stats.reduce((sum, { cpu }) => sum + cpu, 0),
    // The kernel charges a shared page to one process only, so the figure is at most what was ever charged.
    rss: stats.length ? Math.min(await resident(stats), charged ?? Infinity) : null,
    pids: stats.length,
  }
}

/** Shared memory counts once: all processes of PostgreSQL hold the same buffers. */
async function resident(stats: ProcessStat[]): Promise<number> {
  if (stats.length === 1) return stats[0]!.rss
  const shared = await Promise.all(stats.map(({ pid }) => sharedBytes(pid)))
  const own = stats.reduce((sum, { rss }, index) => sum + Math.max(0, rss - shared[index]!), 0)
  return own + Math.max(...shared)
}
