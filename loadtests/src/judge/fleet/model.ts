import { normal, random } from '../estimate/random.ts'
import type { Demand, Fleet, Part, Size } from '../../model/fleet.ts'
import { simulate, type Loop, type Setup } from './simulate.ts'

/**
 * What a fleet of any size does at any rate, from what one execution demands of each part. What it does when it is full
 * follows from its CPU and slots. Latency is simulated. The page of the report runs this file too.
 *
 * Limits: arrivals are random at one rate, and demands neither grow with the number of processes nor with time. Workers
 * are alike. Locks, vacuum, checkpoints, failovers and full disks are no part of it.
 */

/** What limits a fleet: a part, or the slots of its workers. */
export type Limited = Part | 'slots'

/** A figure, and the ends between which it lies 9 times in 10. */
export interface Between {
  low: number
  middle: number
  high: number
}

export interface Predicted {
  /** Executions a second when it is full. */
  throughput: Between
  /** Seconds, in a step of load; null too near to the throughput, where chance decides. */
  p95: Between | null
  mean: number | null
  /** The share of each part's CPU that is in use, and of the workers' slots. */
  use: { what: Limited; share: number }[]
  /** The rate at which each of them is full, the first one first. */
  ends: { what: Limited; rate: number }[]
}

export const demandOf = (fleet: Fleet, part: Part): Demand | undefined =>
  fleet.demands.find((demand) => demand.part === part)

/**
 * Beside more others than were measured, an execution takes so much more of a worker. Six throughputs of
 * docs/evidence/fleet.md say so, of fleets twice as large as those that the demands came from.
 */
const crowded = 1.04

/** What an execution takes of a part in a fleet of this size. */
const secondsIn = (demand: Demand, size: Size): number =>
  demand.part === 'worker' && size.worker > demand.processes.most ? crowded * demand.seconds : demand.seconds

export const isRegular = (size: Size): boolean => size.worker === 0

/** How many there are of a part. A runner stands beside each worker. */
function countOf(size: Size, part: Part): number {
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
  return demand.seconds === 0 ? Infinity : left / secondsIn(demand, size)
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

/** The rate at which each part of a fleet is full, the first one first. */
export function ratesWhenFull(fleet: Fleet, size: Size): Predicted['ends'] {
  if (isRegular(size)) {
    const { cores, idle, seconds } = regularLoop(fleet, size)
    return [{ what: 'main', rate: Math.max(0, cores - idle) / seconds }]
  }
  return [
    ...fleet.demands.map((demand) => ({ what: demand.part as Limited, rate: fullAt(demand, size) })),
    // Without waiting, slots are full when the CPU is.
    ...(fleet.held > 0 && fleet.slots !== null ? [{ what: 'slots' as const, rate: slotsFullAt(fleet, size) }] : []),
  ]
    .filter((end) => Number.isFinite(end.rate))
    .sort((a, b) => a.rate - b.rate)
}

/** By the fleet and the cores of a worker: what one of them does is asked for many times. */
const slotsKnown = new WeakMap<Fleet, Map<string, number>>()

/** Executions a second with all slots of all workers taken: so many come at once that no slot is ever free. */
function slotsFullAt(fleet: Fleet, size: Size): number {
  const known = slotsKnown.get(fleet) ?? new Map<string, number>()
  slotsKnown.set(fleet, known)
  const worker = demandOf(fleet, 'worker')!
  const key = `${size.workerCpu} ${secondsIn(worker, size)}`
  const before = known.get(key)
  if (before !== undefined) return before * size.worker
  const setup = { ...setupOf(fleet, size, 1), workers: 1, processors: 0, slots: fleet.slots! }
  const count = 20 * fleet.slots! + 200
  const { end } = simulate(setup, new Float64Array(count), random(1))
  // The last ones leave slots free.
  const one = Math.min(count / Math.max(1e-9, end - setup.held / 2), fleet.slots! / fleet.held)
  known.set(key, one)
  return one * size.worker
}

function loopOf(demand: Demand, size: Size): Loop {
  const cores = coresOf(demand, size) ?? 1
  const { threads, idle } = demand
  return { seconds: secondsIn(demand, size), cores, threads, idle: Math.min(idle, 0.9 * cores) }
}

/** One process that does everything. */
function regularLoop(fleet: Fleet, size: Size): Loop {
  const { threads = 1, idle = 0 } = demandOf(fleet, 'worker') ?? {}
  return { seconds: fleet.regular.seconds, cores: Math.min(size.workerCpu, threads), threads, idle }
}

const nothing: Loop = { seconds: 0, cores: 1, threads: 1, idle: 0 }
/** n8n itself sets no limit in regular mode. */
const noLimit = 1e6

/** A fleet as it is simulated. */
export function setupOf(fleet: Fleet, size: Size, rate: number): Setup {
  const part = (name: Part) => {
    const demand = demandOf(fleet, name)
    return demand ? loopOf(demand, size) : nothing
  }
  const { variation, held, heldVariation, atOnce, delay, pause } = fleet
  const postgresql = demandOf(fleet, 'postgresql')
  const redis = demandOf(fleet, 'redis')
  const alike = {
    pause,
    variation,
    held,
    heldVariation,
    atOnce,
    delay,
    postgresql: {
      seconds: postgresql?.seconds ?? 0,
      // A query runs on one core, whatever the number of them.
      cores: postgresql ? Math.ceil(coresFor(postgresql, rate)) : 1,
    },
    redis: redis ? redis.seconds / Math.max(0.1, 1 - redis.idle) : 0,
  }
  if (isRegular(size))
    return {
      ...alike,
      processors: 0,
      processor: nothing,
      workers: 1,
      worker: regularLoop(fleet, size),
      runner: null,
      slots: noLimit,
    }
  return {
    ...alike,
    processors: size.webhook,
    processor: part('webhook'),
    workers: size.worker,
    worker: part('worker'),
    runner: demandOf(fleet, 'runner') ? part('runner') : null,
    slots: fleet.slots ?? noLimit,
  }
}

/** Seconds of a step of load, after which another one may say something else. */
const step = 40
/** Of executions in one step: fewer say nothing of a p95, more take long to simulate. */
const executions = { least: 200, most: 1500 }
const steps = { least: 4, most: 40 }
/** Steps in which executions are spread rather than made longer, and seconds until a fleet is as busy as it stays. */
const [enough, filled] = [12, 5]
/** What two runs of the same fleet lie apart in what executions demand, beside their own noise: logarithmic. */
const betweenRuns = 0.06
/** Where too few steps tell a demand. */
const unknown = 0.15
const ninety = 1.6449

/** How far a demand may be from what was measured: one standard deviation, logarithmic. */
export const offOf = ({ seconds, within }: { seconds: number; within: number | null }): number =>
  seconds === 0 ? 0 : Math.hypot(betweenRuns, within === null ? unknown : Math.min(0.5, within / ninety / seconds))

interface Latency {
  /** The p95 of a step, in seconds. */
  p95: Between
  /** Of all steps together: what callers see in the long run, in which the busy steps count. */
  overall: number
  mean: number
  ran: { mean: number; variance: number }
}

/**
 * Latency as steps of load would measure it. Each step has demands of its own, from what the measured ones leave
 * possible, and requests that come when they happen to. `work`: executions that are simulated, at about so many.
 */
export function latencyAt(fleet: Fleet, size: Size, rate: number, { work = 24_000, exact = false } = {}): Latency {
  const most = Math.max(executions.least, Math.min(executions.most, work / enough))
  const count = Math.round(Math.min(most, Math.max(executions.least, step * rate)))
  const filling = Math.ceil(Math.max(count / 4, Math.min(count, filled * rate)) + 2 * fleet.held * rate)
  const times = Math.round(Math.min(steps.most, Math.max(steps.least, work / (count + filling))))
  const setup = setupOf(fleet, size, rate)
  const off = {
    worker: exact ? 0 : offOf(isRegular(size) ? fleet.regular : demandOf(fleet, 'worker')!),
    processor: exact ? 0 : offOf(demandOf(fleet, 'webhook') ?? { seconds: 0, within: 0 }),
  }
  const p95s = new Float64Array(times)
  const all = new Float64Array(times * count)
  const ran = { sum: 0, squares: 0, count: 0 }
  let total = 0
  for (let nth = 0; nth < times; nth++) {
    // The same chance for every rate and size, so that they differ by nothing else.
    const next = random(7919 * (nth + 1))
    const drawn = (sd: number) => Math.exp(sd * Math.max(-2.5, Math.min(2.5, normal(next))))
    const [worker, processor] = [drawn(off.worker), drawn(off.processor)]
    const arrivals = new Float64Array(filling + count)
    for (let one = 0, at = 0; one < arrivals.length; one++) arrivals[one] = at -= Math.log(1 - next()) / rate
    const seen = simulate(
      {
        ...setup,
        worker: { ...setup.worker, seconds: setup.worker.seconds * worker },
        processor: { ...setup.processor, seconds: setup.processor.seconds * processor },
      },
      arrivals,
      next,
    )
    const latencies = seen.latency.subarray(filling)
    all.set(latencies, nth * count)
    for (const one of latencies) total += one
    for (const one of seen.ran.subarray(filling)) {
      ran.sum += one
      ran.squares += one * one
    }
    ran.count += count
    p95s[nth] = latencies.sort()[Math.floor(0.95 * count)]!
  }
  p95s.sort()
  const at = (share: number) => quantileOf(p95s, share)
  const mean = ran.sum / ran.count
  return {
    p95: { low: at(0.05), middle: at(0.5), high: at(0.95) },
    overall: quantileOf(all.sort(), 0.95),
    mean: total / (times * count),
    ran: { mean, variance: ran.squares / ran.count - mean ** 2 },
  }
}

/** Of values in their order. */
function quantileOf(values: Float64Array, share: number): number {
  const at = share * (values.length - 1)
  const below = Math.floor(at)
  const [one, next] = [values[below]!, values[Math.min(values.length - 1, below + 1)]!]
  return one + (at - below) * (next - one)
}

/** A p95 is stated up to this share of the throughput. Above it, chance and a demand a tenth off decide. */
export const stated = 0.7

export function throughputOf(fleet: Fleet, size: Size): Between {
  const [first] = ratesWhenFull(fleet, size)
  if (!first) return { low: 0, middle: Infinity, high: Infinity }
  const demand = isRegular(size) ? fleet.regular : demandOf(fleet, first.what === 'slots' ? 'worker' : first.what)!
  const off = Math.exp(ninety * offOf(demand))
  return { low: first.rate / off, middle: first.rate, high: first.rate * off }
}

export function predicted(fleet: Fleet, size: Size, rate: number): Predicted {
  const ends = ratesWhenFull(fleet, size)
  const throughput = throughputOf(fleet, size)
  const latency = rate <= stated * throughput.middle ? latencyAt(fleet, size, rate) : null
  return {
    throughput,
    p95: latency?.p95 ?? null,
    mean: latency?.mean ?? null,
    use: ends.map((end) => ({ what: end.what, share: end.rate === 0 ? Infinity : rate / end.rate })),
    ends,
  }
}

/** Above this share of any part, the rest of a queue takes minutes to go, and callers do not see that it grows. */
const keepsUp = 0.95

/** How sure an answer has to be: as likely as not, or 19 times in 20. `low` would be met with luck. */
export type Sure = keyof Between

/** So many executions are enough to look for a size, and for a rate. */
const searched = { work: 8000 }

/** With luck, a fleet does as much as its throughput may be at most. */
function mostOf(fleet: Fleet, size: Size, sure: Sure): number {
  const { middle, high } = throughputOf(fleet, size)
  return keepsUp * (sure === 'low' ? high : middle)
}

export function meets(fleet: Fleet, size: Size, rate: number, p95: number, sure: Sure = 'middle'): boolean {
  if (rate > mostOf(fleet, size, sure)) return false
  // As likely as not is what the demands say as they were measured.
  const seen = latencyAt(fleet, size, rate, { ...searched, exact: sure === 'middle' })
  return (sure === 'middle' ? seen.overall : seen.p95[sure]) <= p95
}

/** The highest rate at which the p95 is within so many seconds. Not above what any part can do. */
export function rateWithin(fleet: Fleet, size: Size, p95: number, sure: Sure = 'middle'): number {
  let [low, high] = [0, mostOf(fleet, size, sure)]
  if (!Number.isFinite(high)) return high
  if (meets(fleet, size, high, p95, sure)) return high
  for (let turn = 0; turn < 6; turn++) {
    const middle = (low + high) / 2
    if (meets(fleet, size, middle, p95, sure)) low = middle
    else high = middle
  }
  return low
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
  if (isRegular(size)) return size.workerCpu
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
