import type { RunningProcess } from '../targets/target.ts'
import { parseMetrics } from '../lib/prometheus.ts'

/** The state of a patch of n8n's code, as reported by the process that was asked to apply it. */
export interface PatchState {
  patch: string
  state: 'applied' | 'skipped' | 'off'
  /** Why it was skipped; null where the process gives no reason. */
  reason: string | null
}

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

/** Each patch is a gauge with the value 1 and its state as a label. */
export function readPatches(text: string): PatchState[] {
  return parseMetrics(text, 'n8n_tuned_patch').flatMap(({ value, labels: { patch, state, reason = null } }) =>
    value === 1 && patch && state ? [{ patch, state: state as PatchState['state'], reason }] : [],
  )
}
