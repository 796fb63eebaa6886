import { readPatches } from '../n8n/metrics.ts'
import type { RunningProcess } from '../n8n/running.ts'
import type { PatchState } from '../model/tier.ts'

/** A process that is ready answers within this many milliseconds. */
const patience = 10_000

/** What each process reports about its patches; leaves out processes without a report. */
export async function patchesOf(processes: RunningProcess[]): Promise<{ process: string; patches: PatchState[] }[]> {
  const told = await Promise.all(
    processes.map(async ({ name, metrics }) => {
      const text = await metrics?.(patience)
      return { process: name, patches: readPatches(text ?? '') }
    }),
  )
  return told.filter(({ patches }) => patches.length > 0)
}
