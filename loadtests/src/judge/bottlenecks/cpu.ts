import { isStore, roleOf } from '../roles.ts'
import type { Busy, Seen } from '../seen.ts'
import { sum } from '../statistics.ts'
import type { Shortage } from './found.ts'

/** Above this share of its limit, a process has no CPU to spare. */
const exhausted = 0.9
/** Of its CPU periods, in which its limit stopped it. Threads together use up a period before the average shows it. */
const stopped = 0.5
/** An event loop has to get this share of the time that it wants to run. With less, others keep it from its core. */
const ownTurn = 0.75

export const shareOfLimit = ({ cpu, limit }: Busy): number => cpu / (limit ?? Infinity)

/** The one that is nearest to its limit first. */
export const busiest = (processes: Busy[]): Busy[] =>
  processes.toSorted((a, b) => shareOfLimit(b) - shareOfLimit(a) || b.cpu - a.cpu)

const isStopped = ({ throttled }: Busy) => (throttled ?? 0) >= stopped
const wantsToRun = ({ loop }: Busy) => (loop ? loop.ran + loop.waited : 0) >= exhausted

/** A process used up its CPU limit. */
export function quota({ processes }: Seen): Shortage | null {
  const [first] = busiest(processes.filter((one) => shareOfLimit(one) >= exhausted || isStopped(one)))
  if (!first || first.limit === null) return null
  return {
    code: 'cpu-limit',
    by: 'limit',
    process: first.process,
    limit: first.limit,
    share: shareOfLimit(first),
    throttled: isStopped(first) ? first.throttled! : null,
  }
}

const hasItsTurn = ({ ran, waited }: { ran: number; waited: number }) => ran >= ownTurn * (ran + waited)

/** n8n runs on one thread, and so on one core. Where that thread is not measured, the process stands for it. */
export function loop({ processes }: Seen): Shortage | null {
  const full = processes.find(
    (one) =>
      roleOf(one.process)
      && (one.loop
        ? one.loop.ran >= exhausted || (hasItsTurn(one.loop) && wantsToRun(one) && !isStopped(one))
        : one.cpu >= exhausted && shareOfLimit(one) < exhausted),
  )
  return full ? { code: 'event-loop', by: 'loop', process: full.process, cpu: full.cpu } : null
}

/** n8n's processes have fewer cores than they would use. */
export function cores(seen: Seen): Shortage | null {
  const own = ofN8n(seen)
  const wanting = own.some((one) => wantsToRun(one) && !isStopped(one))
  const all = seen.cores ?? Infinity
  return own.length > 0 && (wanting || coresOf(own) >= exhausted * all) ? shortOfCores(own, seen) : null
}

/** Above this share of the time that a process wants to run, waiting for a core makes it slow. */
const shared = 0.5
/** What has less to do than this, of the time, tells nothing. */
const atWork = 0.3

/** Even a process that is often idle is slow where it waits for a core as long as it has one. */
export function turns(seen: Seen): Shortage | null {
  const own = ofN8n(seen)
  return own.some(isSlowed) ? shortOfCores(own, seen) : null
}

function isSlowed(one: Busy): boolean {
  const waited = waitedForOthers(one)
  const wanted = (one.loop?.ran ?? 0) + waited
  return !isStopped(one) && wanted >= atWork && waited >= shared * wanted
}

/**
 * To the kernel, a thread that its limit stopped waits for a core, too, for a part of each such period. The same holds
 * where another thread of its process has its core, such as one that collects garbage.
 */
function waitedForOthers({ cpu, loop, throttled }: Busy): number {
  return loop ? Math.max(0, loop.waited - (throttled ?? 0) - Math.max(0, cpu - loop.ran)) : 0
}

const ofN8n = ({ processes }: Pick<Seen, 'processes'>) => processes.filter(({ process }) => !isStore(process))
const coresOf = (own: Busy[]) => sum(own.map(({ cpu }) => cpu))

function shortOfCores(own: Busy[], { cores: all }: Seen): Shortage {
  const used = coresOf(own)
  const [first] = own.toSorted((a, b) => (b.loop?.waited ?? 0) - (a.loop?.waited ?? 0))
  const byOthers = (all !== null && used < exhausted * all) || keptWaiting({ cores: all, processes: own }) !== null
  return {
    code: byOthers ? 'others' : 'cores',
    by: 'cores',
    process: null,
    used,
    cores: all,
    waiting: first?.loop ? { process: first.process, share: first.loop.waited } : null,
  }
}

/**
 * The share of the time that n8n waited for a core that others had; null where it got at least half of the time that it
 * wanted. How many cores a cluster gives n8n is not known there, and whoever has them, they are not n8n's.
 */
export function keptWaiting(seen: Pick<Seen, 'processes' | 'cores'>): number | null {
  const own = ofN8n(seen)
  // What n8n used of its cores itself, others did not have: its processes wait for each other, too.
  const left = (seen.cores ?? Infinity) - coresOf(own)
  const waits = own
    .filter(isSlowed)
    .map((one) => ({ ran: one.loop!.ran, waited: Math.min(left, waitedForOthers(one)) }))
    .filter(({ ran, waited }) => waited >= shared * (ran + waited))
  return waits.length > 0 ? Math.max(...waits.map(({ waited }) => waited)) : null
}

/**
 * Callers at random wait for each other long before it is full. Of a core that all threads of a process share, and of
 * one thread that has a core of its own.
 */
const queueing = { shared: 0.4, alone: 0.55 }

/** One process that is busy for much of the time: callers come at random, and those who come at once wait in turn. */
export function saturation({ processes }: Seen): Shortage | null {
  const [first] = processes
    .filter(({ process }) => roleOf(process))
    .map((one) => ({ ...one, busy: busyOf(one) }))
    .toSorted((a, b) => b.busy - a.busy)
  if (!first) return null
  const { process, limit, busy } = first
  if (busy < queueing[isShared(limit) ? 'shared' : 'alone']) return null
  return { code: limit !== null && limit < 1 ? 'cpu-limit' : 'event-loop', by: 'thread', process, busy }
}

/**
 * How much was in use of what it may use. A limit of a core or less is shared by all of its threads; else the one
 * thread counts that n8n runs on. Where the thread is not measured, the process stands for it.
 */
export const busyOf = ({ cpu, limit, loop }: Busy): number =>
  isShared(limit) ? cpu / limit! : (loop?.ran ?? Math.min(cpu, 1))

const isShared = (limit: number | null) => limit !== null && limit <= 1
