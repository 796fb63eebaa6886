import { readFile } from 'node:fs/promises'
import { ticksPerSecond } from './processes.ts'

/**
 * Seconds for which these cores were busy since the machine started, whatever ran on them: k6, the lab, the stores
 * beside them, other programs. Null where the system does not say.
 */
export async function busySeconds(cores: number[]): Promise<number | null> {
  const text = await readFile('/proc/stat', 'utf8').catch(() => '')
  return busyIn(text, cores)
}

export function busyIn(stat: string, cores: number[]): number | null {
  const seen = cores.map((core) => new RegExp(`^cpu${core} (.+)$`, 'm').exec(stat)?.[1]?.split(' ').map(Number))
  if (cores.length === 0 || seen.includes(undefined)) return null
  // user nice system idle iowait irq softirq steal: what its host took is not free, what waits for a disk is.
  const ticks = seen.map((times) =>
    times!.slice(0, 8).reduce((sum, time, kind) => (kind === 3 || kind === 4 ? sum : sum + time), 0),
  )
  return ticks.reduce((a, b) => a + b, 0) / ticksPerSecond
}
