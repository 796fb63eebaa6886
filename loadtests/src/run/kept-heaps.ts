import type { RunningProcess } from '../n8n/running.ts'
import type { KeptHeap } from '../model/step.ts'

/**
 * Looks at what each heap keeps, and returns a function that looks again. A heap grows until V8 collects its garbage,
 * which may take hours: only what stays after a collection tells of a leak.
 */
export async function watchKeptHeaps(processes: RunningProcess[]): Promise<() => Promise<KeptHeap[]>> {
  const before = await look(processes)
  return async () => {
    const after = await look(processes)
    return [...after].flatMap(([process, bytes]) =>
      before.has(process) ? [{ process, before: before.get(process)!, after: bytes }] : [],
    )
  }
}

/** A process that does not answer is left out. */
async function look(processes: RunningProcess[]): Promise<Map<string, number>> {
  const seen = await Promise.all(
    processes.map(async ({ name, keptHeap }) => [name, await keptHeap?.().catch(() => null)] as const),
  )
  return new Map(seen.flatMap(([name, bytes]) => (bytes == null ? [] : [[name, bytes] as const])))
}
