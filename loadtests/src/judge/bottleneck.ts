import { percent } from '../lib/figures.ts'
import { busiest, cores, loop, quota, shareOf, turns } from './bottlenecks/cpu.ts'
import { heap } from './bottlenecks/heap.ts'
import { disk, pool, redis, slots } from './bottlenecks/waits.ts'
import { nextAfter } from './headroom.ts'
import type { Seen } from './seen.ts'
import type { Bottleneck } from '../model/step.ts'

/**
 * Causes before their consequences. A full heap takes CPU to collect. Without CPU everything else is held longer. A
 * slow disk keeps connections busy, and without a connection executions keep their slots. What others do on the cores
 * is told where nothing of n8n's own was used up.
 */
const rules = [heap, loop, quota, cores, redis, disk, pool, slots, turns]

/** What was in the way, by what was seen, and what would be next. */
export function bottleneckIn(seen: Seen): Bottleneck {
  for (const rule of rules) {
    const found = rule(seen)
    if (found) return { ...found, advice: found.advice + nextAfter(found, seen) }
  }
  return unknown(seen)
}

/** Where nothing of n8n was seen. */
export const unseen: Bottleneck = {
  code: 'unknown',
  process: null,
  what: '',
  advice:
    'Find out which process is out of CPU: that of a webhook is main’s, in queue mode the webhook '
    + 'processor’s or the worker’s.',
}

function unknown({ processes }: Seen): Bottleneck {
  const [first] = busiest(processes)
  if (!first) return unseen
  const known = first.limit === null ? `${first.cpu.toFixed(2)} cores` : `${percent(shareOf(first))} of its CPU limit`
  return {
    ...unseen,
    advice:
      `No process was out of CPU, the busiest, ${first.process}, used ${known}, and nothing else that the lab sees was `
      + 'used up: look at what the workflow calls.',
  }
}
