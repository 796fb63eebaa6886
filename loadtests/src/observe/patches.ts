import type { RunningProcess } from '../target/target.ts'
import { parseMetrics } from './prometheus.ts'

/** A patch of n8n's code, as the process that was asked to apply it tells. */
export interface PatchState {
  patch: string
  state: 'applied' | 'skipped' | 'off'
  /** Why it was skipped; null where the process does not say. */
  reason: string | null
}

/** A process that is ready answers within this, in milliseconds. */
const patience = 10_000

/** What each process says of its patches; those that say nothing are left out. */
export async function patchesOf(processes: RunningProcess[]): Promise<{ process: string; patches: PatchState[] }[]> {
  const told = await Promise.all(
    processes.map(async ({ name, metrics }) => {
      const text = await metrics?.(patience)
      return { process: name, patches: readPatches(text ?? '') }
    }),
  )
  return told.filter(({ patches }) => patches.length > 0)
}

/** Each is a gauge of 1, with its state as a label. */
export function readPatches(text: string): PatchState[] {
  return parseMetrics(text, 'n8n_tuned_patch').flatMap(({ value, labels: { patch, state, reason = null } }) =>
    value === 1 && patch && state ? [{ patch, state: state as PatchState['state'], reason }] : [],
  )
}
