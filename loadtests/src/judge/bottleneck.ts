import { figure, memory, percent } from '../lib/figures.ts'
import { busiest, cores, loop, quota, saturation, shareOfLimit, turns } from './bottlenecks/cpu.ts'
import { disk, pool, redis, slots } from './bottlenecks/waits.ts'
import type { Busy, Seen } from './seen.ts'
import type { Bottleneck } from '../model/step.ts'
import { isStore, limitsOf, roleOf } from './advice.ts'
import { sum } from './statistics.ts'

/**
 * Causes before their consequences. A full heap takes CPU to collect. Without CPU everything else is held longer. A
 * slow disk keeps connections busy, and without a connection executions keep their slots. What others do on the cores
 * is told where nothing of n8n's own was used up, and last that callers at random wait for one busy thread.
 */
const rules = [heap, loop, quota, cores, redis, disk, pool, slots, turns, saturation]

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
  const known =
    first.limit === null ? `${first.cpu.toFixed(2)} cores` : `${percent(shareOfLimit(first))} of its CPU limit`
  return {
    ...unseen,
    advice:
      `No process was out of CPU, the busiest, ${first.process}, used ${known}, and nothing else that the lab sees was `
      + 'used up: look at what the workflow calls.',
  }
}

/** Garbage is in every look but the one after a collection: what is there at the least is in use. */
const full = 0.85

/** A heap without room makes V8 collect all the time, which looks like a lack of CPU. */
function heap({ processes }: Seen): Bottleneck | null {
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

/** What its use grows in step with the throughput, and how much of it was in use. */
interface Used {
  what: string
  share: number
}

/** A limit at this many times the throughput is too far away to tell from this step. */
const farthest = 10

/** What comes next once a bottleneck is widened; empty where nothing is near. */
function nextAfter({ code, process }: Bottleneck, seen: Seen): string {
  const others = [
    ...seen.processes.flatMap((one) => [
      // A full event loop leaves its process's limit where it is.
      ...(one.process === process && (code === 'cpu-limit' || code === 'event-loop') ? [] : limitOf(one)),
      ...(one.process === process && code === 'event-loop' ? [] : loopOf(one)),
    ]),
    ...(code === 'cores' || code === 'others' ? [] : coresOf(seen)),
    ...(code === 'database-disk' || seen.disk === null ? [] : [{ what: 'PostgreSQL’s disk', share: seen.disk }]),
  ]
  const next = others.toSorted((a, b) => b.share - a.share)[0]
  if (!next || next.share * farthest < 1) return ''
  const times = 1 / next.share
  const when =
    times < 1.2 ? 'at about the same throughput' : `at about ${figure(Number(times.toFixed(1)))} times this throughput`
  return ` After it comes ${next.what}, ${when}.`
}

const limitOf = ({ process, cpu, limit }: Busy): Used[] =>
  limit === null ? [] : [{ what: `the CPU limit of ${process}`, share: cpu / limit }]

const loopOf = ({ process, cpu, loop }: Busy): Used[] =>
  roleOf(process) ? [{ what: `the event loop of ${process}`, share: loop?.ran ?? cpu }] : []

const coresOf = ({ processes, cores }: Seen): Used[] => {
  const own = processes.filter(({ process }) => !isStore(process))
  return cores === null || own.length === 0
    ? []
    : [{ what: 'the cores that n8n has here', share: sum(own.map(({ cpu }) => cpu)) / cores }]
}
