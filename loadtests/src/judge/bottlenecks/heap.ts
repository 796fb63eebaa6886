import { memory, percent } from '../../lib/figures.ts'
import { limitsOf } from '../advice.ts'
import type { Seen } from '../seen.ts'
import type { Bottleneck } from '../../model/step.ts'

/** Garbage is in every look but the one after a collection: what is there at the least is in use. */
const full = 0.85

/** A heap without room makes V8 collect all the time, which looks like a lack of CPU. */
export function heap({ processes }: Seen): Bottleneck | null {
  const found = processes.find(({ heap }) => heap && heap.least >= full * heap.limit)
  if (!found) return null
  const { process, heap } = found
  const limits = limitsOf(process)
  return {
    code: 'heap',
    process,
    what: `The heap of ${process} was full.`,
    advice:
      `${process} never held less than ${memory(heap!.least)}, ${percent(heap!.least / heap!.limit)} of its heap: `
      + `raise ${limits}.memory or ${limits.replace('.resources.limits', '.heap.megabytes')}, or run fewer executions `
      + 'at once.',
  }
}
