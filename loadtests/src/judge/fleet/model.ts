import type { Demand, Fleet, Part, Size } from '../../model/fleet.ts'
import { fullSlots, percentile95, pooled, sharedLoop, allBusy, type Spent } from './queueing.ts'

/**
 * A capacity model: what a fleet of any size does at any rate, from what one execution demands of each part. An open
 * network of stations, each passed once. Webhook processors get requests at random, and workers take turns. Redis and
 * PostgreSQL are M/M/c (Erlang C). Waiting for other services is a pure delay.
 *
 * Limits: arrivals are Poisson, and demands neither grow with the number of processes nor with time. Workers are alike.
 * Locks, vacuum, checkpoints, failovers and full disks are no part of it. The page of the report runs this file too.
 */

/** What limits a fleet: a part, or the slots of its workers. */
export type Limited = Part | 'slots'

export interface Predicted {
  /** Seconds; infinite where the fleet does not keep up. */
  mean: number
  p95: number
  /** Seconds that an execution waits for a slot of a worker. */
  queued: number
  /** The share of each part's CPU that is in use, and of the workers' slots. */
  use: { what: Limited; share: number }[]
  /** The rate at which each of them is full, the first one first. */
  ends: { what: Limited; rate: number }[]
}

export const demandOf = (fleet: Fleet, part: Part): Demand | undefined =>
  fleet.demands.find((demand) => demand.part === part)

/** How many there are of a part. A runner stands beside each worker. */
export function countOf(size: Size, part: Part): number {
  if (part === 'worker' || part === 'runner') return size.worker
  if (part === 'webhook') return size.webhook
  return part === 'main' ? size.main : 1
}

/**
 * Cores of one process. n8n's JavaScript and Redis have one thread each, besides which others do what they were seen to
 * do. Null of PostgreSQL, which gets as many as the rate needs; main too is given what it needs, up to that one thread.
 */
export function coresOf(demand: Demand, size: Size): number | null {
  if (demand.part === 'postgresql') return null
  if (demand.part === 'redis') return 1
  if (demand.part === 'main') return demand.threads
  return Math.min((demand.part === 'worker' ? size.workerCpu : demand.cpu) ?? Infinity, demand.threads)
}

/** The share of a CPU that is planned to be in use. The rest is for peaks. */
export const planned = 0.7

/** Cores that one process of a part needs at a rate, with room for peaks. */
export const coresFor = (demand: Demand, rate: number, count = 1): number =>
  (demand.idle + (demand.seconds * rate) / count) / planned

/** The rate at which the CPU of a part is full. */
export function fullAt(demand: Demand, size: Size): number {
  const cores = coresOf(demand, size)
  if (cores === null) return Infinity
  const left = Math.max(0, cores - demand.idle) * countOf(size, demand.part)
  return demand.seconds === 0 ? Infinity : left / demand.seconds
}

/** Nobody waits for main, so it may be busier than what answers callers. */
const mainAtMost = 0.9

/** How many mains a rate needs. More than one needs a licence of n8n's. */
export function mainsFor(fleet: Fleet, rate: number): number {
  const main = demandOf(fleet, 'main')
  if (!main) return 1
  const each = Math.max(1e-9, main.threads - main.idle) / main.seconds
  return Math.max(1, Math.ceil(rate / (mainAtMost * each)))
}

/** Executions a second of one worker with all of its slots taken; infinite where their number is not known. */
function slotsFullAt(fleet: Fleet, size: Size): number {
  const worker = demandOf(fleet, 'worker')
  if (!worker || fleet.slots === null) return Infinity
  const left = coresOf(worker, size)! - worker.idle
  return left <= 0 ? 0 : size.worker * fullSlots(fleet.slots, worker.seconds / left, fleet.held)
}

export function predicted(fleet: Fleet, size: Size, rate: number): Predicted {
  const slots = slotsFullAt(fleet, size)
  const ends = [
    ...fleet.demands.map((demand) => ({ what: demand.part as Limited, rate: fullAt(demand, size) })),
    // Without waiting, slots are full when the CPU is.
    ...(fleet.held > 0 ? [{ what: 'slots' as const, rate: slots }] : []),
  ]
    .filter((end) => Number.isFinite(end.rate))
    .sort((a, b) => a.rate - b.rate)
  const spent = (part: Part) => timeAt(fleet, size, part, rate)
  const [webhook, worker, runner] = [spent('webhook'), spent('worker'), spent('runner')]
  const stores = [spent('redis'), spent('postgresql')]
  const inSlot = worker.mean + runner.mean + fleet.held
  const queued = waitForSlot(fleet, size, rate, inSlot, slots)
  const stations = fleet.atOnce
    ? [webhook, ...stores]
    : [webhook, ...stores, queued, worker, runner, { mean: fleet.held, variation: fleet.heldVariation }]
  const all = [...stations, pure(fleet.delay)]
  const behind = rate >= (ends[0]?.rate ?? Infinity)
  return {
    mean: behind ? Infinity : all.reduce((sum, one) => sum + one.mean, 0),
    p95: behind ? Infinity : percentile95(all) * (fleet.off?.middle ?? 1),
    queued: behind ? Infinity : queued.mean,
    use: ends.map((end) => ({ what: end.what, share: end.rate === 0 ? Infinity : rate / end.rate })),
    ends,
  }
}

const pure = (seconds: number): Spent => ({ mean: seconds, variation: 0 })

/** The time of one execution at a part. */
export function timeAt(fleet: Fleet, size: Size, part: Part, rate: number): Spent {
  const demand = demandOf(fleet, part)
  if (!demand) return pure(0)
  // A query runs on one core, whatever the number of them.
  if (part === 'postgresql') return pooled(rate, demand.seconds, Math.ceil(coresFor(demand, rate) + 1e-9))
  if (part === 'redis') return pooled(rate, demand.seconds / Math.max(1e-9, 1 - demand.idle), 1)
  const left = coresOf(demand, size)! - demand.idle
  if (left <= 0) return pure(Infinity)
  const load = rate / fullAt(demand, size)
  const service = demand.seconds / left
  // Processors get requests at random. Workers take turns, which a wait for other services blurs that lasts for longer
  // than a queue remembers.
  const remembers = service / (1 - Math.min(load, 0.999)) ** 2
  const turns = part === 'webhook' ? 0 : remembers / (remembers + fleet.held)
  const evenness = 1 - turns * (1 - 1 / size.worker)
  const { variation } = fleet
  if (part !== 'worker' || fleet.slots === null) return sharedLoop({ load, service, evenness, variation })
  // Some slots are taken by executions that use no CPU.
  const slots = Math.max(1, fleet.slots - (rate / size.worker) * fleet.held)
  return sharedLoop({ load, service, evenness, variation, slots, processes: size.worker })
}

/**
 * All slots are one M/M/c station, each of them as fast as it is while all are taken. Only the time in which an
 * execution uses no CPU makes it wait for a slot here. The queue at the event loop counts there.
 */
function waitForSlot(fleet: Fleet, size: Size, rate: number, inSlot: number, full: number): Spent {
  if (fleet.slots === null || fleet.held === 0 || rate === 0 || !Number.isFinite(full)) return pure(0)
  if (rate >= full) return pure(Infinity)
  const servers = fleet.slots * size.worker
  const waits = allBusy(servers, (rate / full) * servers)
  // Hardly anybody: a share of that few has no variation that a figure could hold.
  if (waits < 1e-9) return pure(0)
  return { mean: (waits / (full - rate)) * (fleet.held / inSlot), variation: (2 - waits) / waits }
}

/** The highest rate at which the p95 is within so many seconds. Not above what any part can do. */
export function rateWithin(fleet: Fleet, size: Size, p95: number): number {
  let [low, high] = [0, predicted(fleet, size, 0).ends[0]?.rate ?? 0]
  for (let turn = 0; turn < 40; turn++) {
    const middle = (low + high) / 2
    if (meets(fleet, size, middle, p95)) low = middle
    else high = middle
  }
  return low
}

/** Above this share of any part, the rest of a queue takes minutes to go, and callers do not see that it grows. */
const keepsUp = 0.98

export function meets(fleet: Fleet, size: Size, rate: number, p95: number): boolean {
  const at = predicted(fleet, size, rate)
  return at.p95 <= p95 && at.use.every((one) => one.share <= keepsUp)
}

/** The ends of what the run leaves possible: every demand at the lower end of its interval, and at the upper. */
export function bounds(fleet: Fleet): { low: Fleet; high: Fleet } | null {
  if (fleet.demands.some((one) => one.within === null) || fleet.off === null) return null
  const shifted = (to: -1 | 1): Fleet => ({
    ...fleet,
    demands: fleet.demands.map((one) => ({ ...one, seconds: Math.max(0, one.seconds + to * (one.within ?? 0)) })),
    off: fleet.off && { ...fleet.off, middle: to < 0 ? fleet.off.low : fleet.off.high },
  })
  return { low: shifted(-1), high: shifted(1) }
}

/** How many times further than anything measured, for a rate and for workers; 1 is within it. */
export function beyond(fleet: Fleet, size: Size, rate: number): { rate: number; workers: number } {
  const most = demandOf(fleet, 'worker')?.processes.most ?? size.worker
  return { rate: Math.max(1, rate / fleet.rates.most), workers: Math.max(1, size.worker / most) }
}

/** In whole steps of 50 millicores: nobody asks for more precise ones. */
export const inSteps = (cores: number): number => Math.max(1, Math.ceil(cores * 20 - 1e-9)) / 20

/** The CPU limit of one main: as measured, or more where the rate needs it. */
export const mainCpu = (fleet: Fleet, size: Size, rate: number): number => {
  const main = demandOf(fleet, 'main')
  return main ? Math.max(main.cpu ?? 0, inSteps(Math.min(main.threads, coresFor(main, rate, size.main)))) : 0
}

/** At prices of a core and of a GiB: n8n's own processes. Redis and PostgreSQL are beside them. */
export function costOf(fleet: Fleet, size: Size, rate: number, price: { cpu: number; memory: number }): number | null {
  let sum = 0
  for (const part of ['main', 'webhook', 'worker', 'runner'] as const) {
    const demand = demandOf(fleet, part)
    if (!demand) continue
    const cpu = part === 'worker' ? size.workerCpu : part === 'main' ? mainCpu(fleet, size, rate) : demand.cpu
    const memory = part === 'worker' ? size.workerMemory : (demand.memory ?? demand.peak)
    if ((cpu === null && price.cpu > 0) || (memory === null && price.memory > 0)) return null
    sum += countOf(size, part) * ((cpu ?? 0) * price.cpu + ((memory ?? 0) / 2 ** 30) * price.memory)
  }
  return sum
}

export const secondsOfMonth = (365 / 12) * 24 * 60 * 60

/** Of a million executions, at a rate that lasts all month. */
export const costOfMillion = (monthly: number, rate: number): number => (monthly * 1e6) / (rate * secondsOfMonth)
