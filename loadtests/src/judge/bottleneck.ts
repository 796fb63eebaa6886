import { busiest, cores, loop, quota, saturation, shareOfLimit, turns } from './bottlenecks/cpu.ts'
import { disk, lists, pool, redis, runner, services, slots } from './bottlenecks/waits.ts'
import type { Busy, Seen } from './seen.ts'
import type { FoundBottleneck, NextShortage, Shortage } from './bottlenecks/found.ts'
import { isStore, roleOf } from './roles.ts'
import { sum } from './statistics.ts'

/**
 * Causes before their consequences. A full heap takes CPU to collect, and so do the editor's lists in PostgreSQL, which
 * hold connections meanwhile. Without CPU everything else is held longer. A
 * slow disk keeps connections busy, and without a connection executions keep their slots. Services are told where they
 * take most of a request. What others do on the cores is told where nothing of n8n's own was used up, and last that
 * callers at random wait for one busy process.
 */
const rules = [heap, lists, loop, quota, cores, redis, disk, pool, slots, runner, services, turns, saturation]

/** What was in the way, by what was seen, and what would be next. */
export function bottleneckIn(seen: Seen): FoundBottleneck {
  for (const rule of rules) {
    const found = rule(seen)
    const next = found && nextAfter(found, seen)
    if (found) return { ...found, ...(next && { next }) }
  }
  const [first] = busiest(seen.processes)
  if (!first) return unseen
  const { process, cpu, limit } = first
  return { ...unseen, busiest: { process, cpu, share: limit === null ? null : shareOfLimit(first) } }
}

/** Where nothing of n8n was seen. */
export const unseen: Extract<Shortage, { by: 'nothing' }> = {
  code: 'unknown',
  by: 'nothing',
  process: null,
  busiest: null,
}

/** Garbage is in every look but the one after a collection: what is there at the least is in use. */
const full = 0.85

/** A heap without room makes V8 collect all the time, which looks like a lack of CPU. */
function heap({ processes }: Seen): Shortage | null {
  const found = processes.find(({ heap }) => heap && heap.least >= full * heap.limit)
  return found ? { code: 'heap', by: 'heap', process: found.process, ...found.heap! } : null
}

/** What its use grows in step with the throughput, and how much of it was in use. */
type Used = Pick<NextShortage, 'what' | 'process'> & { share: number }

/** A limit at this many times the throughput is too far away to tell from this step. */
const farthest = 10

/** What comes next once a bottleneck is widened; null where nothing is near. */
function nextAfter({ code, process }: Shortage, seen: Seen): NextShortage | null {
  const others = [
    ...seen.processes.flatMap((one) => [
      // A full event loop leaves its process's limit where it is.
      ...(one.process === process && (code === 'cpu-limit' || code === 'event-loop') ? [] : limitOf(one)),
      ...(one.process === process && code === 'event-loop' ? [] : loopOf(one)),
    ]),
    ...(code === 'cores' || code === 'others' ? [] : coresOf(seen)),
    ...(code === 'database-disk' || seen.disk === null
      ? []
      : [{ what: 'disk' as const, process: null, share: seen.disk }]),
  ]
  const next = others.toSorted((a, b) => b.share - a.share)[0]
  if (!next || next.share * farthest < 1) return null
  return { what: next.what, process: next.process, times: 1 / next.share }
}

const limitOf = ({ process, cpu, limit }: Busy): Used[] =>
  limit === null ? [] : [{ what: 'limit', process, share: cpu / limit }]

const loopOf = ({ process, cpu, loop }: Busy): Used[] =>
  roleOf(process) ? [{ what: 'loop', process, share: loop?.ran ?? cpu }] : []

const coresOf = ({ processes, cores }: Seen): Used[] => {
  const own = processes.filter(({ process }) => !isStore(process))
  return cores === null || own.length === 0
    ? []
    : [{ what: 'cores', process: null, share: sum(own.map(({ cpu }) => cpu)) / cores }]
}
