import type { Demand, Fleet, Part, Size } from '../../model/fleet.ts'
import { partNames } from '../../model/fleet.ts'
import { max, median, medianKnown, min, sum } from '../statistics.ts'
import { predicted, timeAt } from './model.ts'
import type { Spent } from './queueing.ts'
import { lineThrough, nextOne, type Use } from './regression.ts'

/** A fleet as steps of load measured it. */

/** What a step of load says of one part. */
export interface PartUse {
  processes: number
  /** Cores that all of them used together. */
  used: number
  /** Of one of them. */
  cpu: number | null
  memory: number | null
  peak: number | null
  threads: number | null
  connections: number | null
}

/** One step of load that n8n kept up with. Times are seconds. */
export interface Look {
  seconds: number
  /** Executions that finished, a second. */
  rate: number
  parts: Partial<Record<Part, PartUse>>
  latency: { mean: number; p50: number; p95: number } | null
  /** From the begin of executions to their end; null where n8n does not say. */
  ran: { p50: number; p95: number } | null
  /** A second; null where not recorded. */
  stores: Record<keyof Fleet['execution'], number | null>
}

interface Known {
  slots: number | null
  /** Seconds that an execution waited for other services, where the mock of them said so. */
  outside: number | null
}

/** Null where the steps say nothing of webhook processors and workers. */
export function fleetFrom(looks: Look[], { slots, outside }: Known): Fleet | null {
  const demands = partNames.flatMap((part) => demandFrom(looks, part) ?? [])
  if (!['webhook', 'worker'].every((part) => demands.some((demand) => demand.part === part))) return null
  const rates = looks.map(({ rate }) => rate)
  const told = looks.filter(({ latency }) => latency !== null)
  const both = told.filter(({ ran }) => ran !== null)
  const bare: Fleet = {
    steps: looks.length,
    rates: { least: min(rates), most: max(rates) },
    demands,
    slots,
    held: 0,
    heldVariation: 0,
    atOnce: both.length > 0 && median(both.map(({ latency, ran }) => latency!.p50 - ran!.p50)) < 0,
    delay: 0,
    variation: 1,
    off: null,
    fromCallers: told.length > 0,
    execution: {
      transactions: perExecution(looks, 'transactions'),
      written: perExecution(looks, 'written'),
      kept: perExecution(looks, 'kept'),
      commands: perExecution(looks, 'commands'),
      busy: perExecution(looks, 'busy'),
    },
  }
  return asSeen({ ...bare, held: heldIn(bare, looks) ?? outside ?? 0 }, told)
}

function demandFrom(looks: Look[], part: Part): Demand | null {
  const seen = looks.flatMap((look) => (look.parts[part] ? [{ ...look, own: look.parts[part] }] : []))
  const line = lineThrough(
    seen.map(({ own, rate, seconds }): Use => ({ processes: own.processes, rate, used: own.used, seconds })),
  )
  if (!line) return null
  const { own } = seen.at(-1)!
  const peaks = seen.flatMap((each) => each.own.peak ?? [])
  return {
    part,
    seconds: line.slope,
    within: line.within,
    idle: line.idle,
    idleKnown: line.idleKnown,
    processes: {
      least: min(seen.map((each) => each.own.processes)),
      most: max(seen.map((each) => each.own.processes)),
    },
    cpu: own.cpu,
    threads: Math.max(1, medianKnown(seen.map((each) => each.own.threads)) ?? 1),
    memory: own.memory,
    peak: peaks.length ? max(peaks) : null,
    connections: medianKnown(seen.map((each) => each.own.connections)),
  }
}

function perExecution(looks: Look[], what: keyof Fleet['execution']): number | null {
  const uses = looks.flatMap(({ stores, rate, seconds }): Use[] =>
    stores[what] === null ? [] : [{ processes: 1, rate, used: stores[what], seconds }],
  )
  return lineThrough(uses)?.slope ?? null
}

/** The size that a step was measured with. */
function sizeOf({ parts }: Look): Size {
  const { webhook, worker, main } = parts
  return {
    webhook: webhook?.processes ?? 0,
    worker: worker?.processes ?? 0,
    main: main?.processes ?? 0,
    workerCpu: worker?.cpu ?? Infinity,
    workerMemory: worker?.memory ?? 0,
  }
}

/** Near its end a queue depends on chance: such a step says little of anything else. */
const atEase = 0.85

const busyIn = (fleet: Fleet, look: Look) =>
  max(
    predicted(fleet, sizeOf(look), look.rate)
      .use.map(({ share }) => share)
      .concat(0),
  )

/** What executions took, less the time at the event loop of their worker; null where n8n does not say. */
function heldIn(fleet: Fleet, looks: Look[]): number | null {
  const waits = looks.flatMap((look) =>
    look.ran === null || busyIn(fleet, look) > atEase ? [] : lognormal(look.ran).mean - atWork(fleet, look).mean,
  )
  return waits.length ? Math.max(0, median(waits)) : null
}

/** How much that differs: what executions took differs by this and by the time at the event loop. */
function heldVariationIn(fleet: Fleet, looks: Look[]): number {
  if (fleet.held === 0) return 0
  const variances = looks.flatMap((look) => {
    if (look.ran === null || busyIn(fleet, look) > atEase) return []
    const { mean, variation } = atWork(fleet, look)
    return lognormal(look.ran).variance - variation * mean ** 2
  })
  return variances.length ? Math.max(0, median(variances)) / fleet.held ** 2 : 0
}

/** The time of an execution at the event loop of its worker. */
function atWork(fleet: Fleet, look: Look): Spent {
  return timeAt(fleet, sizeOf(look), 'worker', look.rate)
}

/** With these percentiles: n8n's database is asked for no mean. */
function lognormal({ p50, p95 }: { p50: number; p95: number }): { mean: number; variance: number } {
  const spread = (Math.log(Math.max(1, p95 / p50)) / 1.6449) ** 2
  const mean = p50 * Math.exp(spread / 2)
  return { mean, variance: mean ** 2 * Math.expm1(spread) }
}

const variations = [0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2]

/**
 * The rest of the latency: a delay that no station explains, and how much executions differ. Both are taken from the
 * steps at ease, and how far all steps lie from the model says how exact it is.
 */
function asSeen(fleet: Fleet, told: Look[]): Fleet {
  const atEaseOnly = told.filter((look) => busyIn(fleet, look) <= atEase)
  if (atEaseOnly.length === 0) return fleet
  const left = atEaseOnly.map((look) => look.latency!.mean - predicted(fleet, sizeOf(look), look.rate).mean)
  const delayed = { ...fleet, delay: Math.max(0, median(left)) }
  const fits = variations.map((variation) => {
    const first = { ...delayed, variation }
    const varied = { ...first, heldVariation: heldVariationIn(first, atEaseOnly) }
    const offs = atEaseOnly.map((look) => look.latency!.p95 / predicted(varied, sizeOf(look), look.rate).p95)
    return { varied, offs, misfit: sum(offs.map((off) => Math.log(off) ** 2)) }
  })
  const { varied, offs } = fits.reduce((best, one) => (one.misfit < best.misfit ? one : best))
  return { ...varied, off: nextOne(offs) }
}
