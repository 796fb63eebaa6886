import { figure } from '../lib/figures.ts'
import { isStore, roleOf } from './advice.ts'
import type { Busy, Seen } from './seen.ts'
import { sum } from './statistics.ts'
import type { Bottleneck } from '../model/step.ts'

/** What its use grows in step with the throughput, and how much of it was in use. */
interface Used {
  what: string
  share: number
}

/** A limit at this many times the throughput is too far away to tell from this step. */
const farthest = 10

/** What comes next once a bottleneck is widened; empty where nothing is near. */
export function nextAfter({ code, process }: Bottleneck, seen: Seen): string {
  const others = [
    ...seen.processes.flatMap((one) => [
      // A full event loop leaves its process's limit where it is.
      ...(one.process === process && (code === 'cpu-limit' || code === 'event-loop') ? [] : limitOf(one)),
      ...(one.process === process && code === 'event-loop' ? [] : loopOf(one)),
    ]),
    ...(code === 'cores' ? [] : coresOf(seen)),
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
