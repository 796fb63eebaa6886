import type { IExecuteFunctions } from 'n8n-workflow'

import { pause } from './pause'

/** A cancelled execution ends about this soon; shorter work is never interrupted. */
export const SLICE_MS = 500
/** Long enough for the cancelling request to get through, and a fiftieth of the time at most. */
const BREATH_MS = 10

/**
 * Calls `slice` until it returns false. Where n8n can cancel an execution it lets n8n do so in between; true if it did.
 * Without that, as in n8n 0.x, nothing else runs in between.
 */
export async function inSlices(context: IExecuteFunctions, slice: () => boolean): Promise<boolean> {
  const cancellable = context.getExecutionCancelSignal?.() !== undefined
  while (slice()) {
    if (cancellable && (await pause(context, BREATH_MS))) return true
  }
  return false
}
