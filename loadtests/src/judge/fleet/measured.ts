import type { Demand, Fleet, Part, Size } from '../../model/fleet.ts'
import { partNames } from '../../model/fleet.ts'
import { max, median, medianKnown, min, sum } from '../statistics.ts'
import { demandOf, ratesWhenFull, latencyAt } from './model.ts'
import { lineThrough, type Use } from './regression.ts'
import type { Pause } from './simulate.ts'

/** A fleet as steps of load measured it. */

/** What a step of load says of one part. */
export interface PartUse {
  processes: number
  /** Cores that all of them used together. */
  used: number
  /** Cores that one of them used when it used the least, with load or without. */
  least: number
  /** Of one of them. */
  cpu: number | null
  memory: number | null
  peak: number | null
  threads: number | null
  connections: number | null
}

/** One step of load that n8n kept up with. Times are seconds. */
export interface FleetLook {
  seconds: number
  /** Executions that finished, a second. */
  rate: number
  parts: Partial<Record<Part, PartUse>>
  latency: { mean: number; p50: number; p95: number } | null
  /** n8n's processes together had too few cores, and callers waited for those. A fleet has cores of its own. */
  crowded: boolean
  /** From the begin of executions to their end; null where n8n does not say. */
  ran: { p50: number; p95: number } | null
  /** Of one worker: what its heap held at the least and at the most, in bytes, and most executions under way in it. */
  heap: { least: number; most: number; underWay: number } | null
  /** A second; null where not recorded. */
  stores: Record<keyof Fleet['execution'], number | null>
}

interface Known {
  slots: number | null
  /** Seconds that an execution waited for other services, where the mock of them said so. */
  outside: number | null
}

/**
 * What workers do that no run tells otherwise: from the 18 p95 of docs/evidence/fleet.md. The pauses are full garbage
 * collections.
 */
export const usualPause: Pause = { cpu: 0.09, every: 40 }
export const usualVariation = 0.25

/** Of a processor's CPU, what one process that does everything needs too: measured with three workflows. */
const alsoRegular = 0.5

function inRegularMode(fleet: Fleet): Fleet['regular'] {
  const [webhook, worker] = [demandOf(fleet, 'webhook')!, demandOf(fleet, 'worker')!]
  return {
    seconds: worker.seconds + alsoRegular * webhook.seconds,
    within:
      worker.within === null || webhook.within === null
        ? null
        : Math.hypot(worker.within, alsoRegular * webhook.seconds),
  }
}

/** Null where the steps say nothing of webhook processors and workers. */
export function fleetFrom(looks: FleetLook[], { slots, outside }: Known): Fleet | null {
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
    heap: heapIn(looks),
    atOnce: both.length > 0 && median(both.map(({ latency, ran }) => latency!.p50 - ran!.p50)) < 0,
    delay: 0,
    variation: usualVariation,
    pause: usualPause,
    regular: { seconds: 0, within: null },
    basis: 'queue',
    fromCallers: told.length > 0,
    execution: {
      transactions: perExecution(looks, 'transactions'),
      written: perExecution(looks, 'written'),
      kept: perExecution(looks, 'kept'),
      commands: perExecution(looks, 'commands'),
      busy: perExecution(looks, 'busy'),
    },
  }
  const held = heldIn(bare, looks) ?? { held: outside ?? 0, heldVariation: 0 }
  return asSeen({ ...bare, ...held, regular: inRegularMode(bare) }, told)
}

function demandFrom(looks: FleetLook[], part: Part): Demand | null {
  const seen = looks.flatMap((look) => (look.parts[part] ? [{ ...look, own: look.parts[part] }] : []))
  const line = lineThrough(
    seen.map(({ own, rate, seconds }): Use => ({ processes: own.processes, rate, used: own.used, seconds })),
    min([Infinity, ...seen.map(({ own }) => own.least)]),
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

function perExecution(looks: FleetLook[], what: keyof Fleet['execution']): number | null {
  const uses = looks.flatMap(({ stores, rate, seconds }): Use[] =>
    stores[what] === null ? [] : [{ processes: 1, rate, used: stores[what], seconds }],
  )
  return lineThrough(uses)?.slope ?? null
}

/** What a worker has not collected yet may be so much, of whatever executions. */
const garbage = 128 * 2 ** 20
/** Of the most that were under way: what fewer of them hold is less of what the heap holds. */
const nearMost = 0.7

/** Of executions that hold enough to fill a heap. */
function heapIn(looks: FleetLook[]): Fleet['heap'] {
  const told = looks.flatMap(({ heap }) => heap ?? [])
  const most = max([0, ...told.map(({ underWay }) => underWay)])
  const [fullest] = told
    .filter(({ underWay }) => underWay > nearMost * most)
    .toSorted((one, other) => other.most - one.most)
  if (!fullest) return null
  const idle = min(told.map(({ least }) => least))
  const held = fullest.most - idle
  return held > garbage ? { each: held / fullest.underWay, idle } : null
}

/** The size that a step was measured with. */
function sizeOf({ parts }: FleetLook): Size {
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

const isAtEase = (fleet: Fleet, look: FleetLook) =>
  look.rate <= atEase * (ratesWhenFull(fleet, sizeOf(look))[0]?.rate ?? Infinity)

/** Crowded steps say little of a fleet's times, so they count only where there are no others. */
function uncrowded(looks: FleetLook[]): FleetLook[] {
  const alone = looks.filter(({ crowded }) => !crowded)
  return alone.length > 0 ? alone : looks
}

/** So many executions tell what a step would have been; as the demands were measured, they are known. */
const work = { work: 1200, exact: true }

/** What executions took, less the time at their worker and at PostgreSQL; null where n8n does not say. */
function heldIn(fleet: Fleet, looks: FleetLook[]): Pick<Fleet, 'held' | 'heldVariation'> | null {
  const waits = uncrowded(looks.filter((look) => look.ran !== null && isAtEase(fleet, look))).map((look) => {
    const [took, alone] = [lognormal(look.ran!), latencyAt(fleet, sizeOf(look), look.rate, work).ran]
    return { mean: took.mean - alone.mean, variance: took.variance - alone.variance }
  })
  if (waits.length === 0) return null
  const held = median(waits.map(({ mean }) => mean))
  const variance = Math.max(0, median(waits.map((wait) => wait.variance)))
  return held > 0 ? { held, heldVariation: Math.min(4, variance / held ** 2) } : { held: 0, heldVariation: 0 }
}

/** With these percentiles: n8n's database is asked for no mean. */
function lognormal({ p50, p95 }: { p50: number; p95: number }): { mean: number; variance: number } {
  const spread = (Math.log(Math.max(1, p95 / p50)) / 1.6449) ** 2
  const mean = p50 * Math.exp(spread / 2)
  return { mean, variance: mean ** 2 * Math.expm1(spread) }
}

const variations = [0.1, usualVariation, 0.6, 1.4]
const pauses = [0, 0.045, 0.135, 0.18]
/** How far the p95 of a step lies from the model, logarithmic; and other n8n from what is usual. */
const [offStep, offPause, offVariation] = [0.25, 0.05, 0.8]

/**
 * The rest of the latency, from the steps at ease: a delay that no part explains, how much executions differ, and how
 * long a worker pauses. Few steps tell little of them, so each has what is usual for a start.
 */
function asSeen(fleet: Fleet, told: FleetLook[]): Fleet {
  const eased = uncrowded(told.filter((look) => isAtEase(fleet, look)))
  if (eased.length === 0) return fleet
  const key = JSON.stringify([fleet, eased])
  const before = known.get(key)
  if (before) return before
  const fitted = (variation: number, cpu: number) => {
    const asked = { ...fleet, variation, pause: { cpu, every: usualPause.every }, delay: 0 }
    const seen = eased.map((look) => ({ look, at: latencyAt(asked, sizeOf(look), look.rate, work) }))
    const delay = Math.max(0, median(seen.map(({ look, at }) => look.latency!.mean - at.mean)))
    const misfit =
      sum(seen.map(({ look, at }) => (Math.log(look.latency!.p95 / (at.p95.middle + delay)) / offStep) ** 2))
      + ((cpu - usualPause.cpu) / offPause) ** 2
      + (Math.log(variation / usualVariation) / offVariation) ** 2
    return { variation, cpu, delay, misfit }
  }
  const best = (all: ReturnType<typeof fitted>[]) =>
    all.reduce((one, other) => (other.misfit < one.misfit ? other : one))
  const byVariation = best(variations.map((variation) => fitted(variation, usualPause.cpu)))
  const { variation, cpu, delay } = best([byVariation, ...pauses.map((pause) => fitted(byVariation.variation, pause))])
  const found = { ...fleet, variation, delay, pause: cpu > 0 ? { cpu, every: usualPause.every } : null }
  if (known.size > 20) known.clear()
  known.set(key, found)
  return found
}

/** A run is summarised many times while it goes on. */
const known = new Map<string, Fleet>()
