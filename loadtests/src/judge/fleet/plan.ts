import type { Price } from '../../model/experiment.ts'
import type { Fleet, Size } from '../../model/fleet.ts'
import { coresFor, demandOf, ratesWhenFull, fullAt, mainsFor, meets, planned, type Sure } from './model.ts'

/** The smallest fleet that meets an objective. */

export interface Wanted {
  rate: number
  /** Seconds. */
  p95: number
  price: Price
  /** Of an n8n that is to run in queue mode, whatever the rate. */
  inQueueMode?: boolean
}

/** A fleet whose p95 is the objective misses it every other time. Its p95 is to be this share of it. */
const aim = 0.87
/** More of a role than this is no plan. */
const most = 10_000
/** With so many times the workers that their CPU needs, more of them make nothing faster. */
const ample = 4

/** As it was measured, with one of each. */
export function usualSize(fleet: Fleet): Size {
  const worker = demandOf(fleet, 'worker')!
  return {
    webhook: 1,
    worker: 1,
    main: 1,
    workerCpu: worker.cpu ?? worker.threads,
    workerMemory: worker.memory ?? worker.peak ?? 0,
  }
}

/** The fewest that sustain the rate within the objective; null where no number of workers does. */
export function smallest(
  fleet: Fleet,
  { rate, p95 }: Omit<Wanted, 'price'>,
  { given = usualSize(fleet), sure = 'middle' }: { given?: Size; sure?: Sure } = {},
): Size | null {
  const main = mainsFor(fleet, rate)
  const webhook = demandOf(fleet, 'webhook')!
  const fewest = Math.max(1, Math.ceil(rate / (planned * fullAt(webhook, { ...given, webhook: 1 }))))
  if (fewest > most) return null
  // Where workers do not help, callers wait for processors.
  for (const more of [1, 1.4, 2]) {
    const size = { ...given, main, webhook: Math.ceil(more * fewest) }
    const found = fewestWorkers(fleet, size, { rate, p95: aim * p95, sure })
    if (found) return found
  }
  return null
}

/** Latency falls with each worker more, so the fewest are found by halving. */
function fewestWorkers(
  fleet: Fleet,
  size: Size,
  { rate, p95, sure }: { rate: number; p95: number; sure: Sure },
): Size | null {
  const enough = (worker: number) => meets(fleet, { ...size, worker }, rate, p95, sure)
  const each = Math.min(
    ...ratesWhenFull(fleet, { ...size, worker: 1 }).flatMap(({ what, rate: full }) =>
      ['worker', 'runner', 'slots'].includes(what) ? [full] : [],
    ),
  )
  let low = Math.ceil(rate / each) - 1
  if (!(low < most)) return null
  const largest = ample * (low + 1)
  let step = 1
  while (!enough(low + step)) {
    if (low + step >= largest) return null
    low += step
    step = Math.min(2 * step, largest - low)
  }
  let high = low + step
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (enough(middle)) high = middle
    else low = middle
  }
  return { ...size, worker: high }
}

/** What n8n takes by itself; more than the most was not tried in one worker. */
const concurrencies = { usual: 10, most: 100 }

/**
 * Executions that one worker should run at a time. By Little's law a rate of which each execution holds a slot for so
 * long has rate × time of them under way, and chance makes it a few more. Beyond that, executions only share a CPU.
 */
export function concurrencyFor(fleet: Fleet, size: Size): number {
  const worker = demandOf(fleet, 'worker')!
  const rate = planned * fullAt(worker, { ...size, worker: 1 })
  // At this load an execution takes about three times as long at its event loop as it does alone.
  const underWay = rate * (fleet.held + (3 * worker.seconds) / Math.min(1, size.workerCpu))
  const enough = Math.ceil(underWay + 2 * Math.sqrt(underWay))
  const wanted =
    fleet.held > 0 ? Math.min(concurrencies.most, Math.max(concurrencies.usual, enough)) : concurrencies.usual
  return Math.min(wanted, roomFor(fleet, size) ?? wanted)
}

/** Of a worker's memory, what the chart leaves to the heap (docs/chart.md#heap), and the share that is surely free. */
const heap = { share: 0.94, beside: 384 * 2 ** 20, sure: 0.85 }

/** Executions that the heap of one worker has room for; null where they hold little, or nothing limits it. */
export function roomFor({ heap: held, demands }: Fleet, { workerMemory }: Size): number | null {
  if (!held || !demands.some(({ part, memory }) => part === 'worker' && memory !== null)) return null
  const room = heap.sure * (heap.share * workerMemory - heap.beside) - held.idle
  return Math.max(1, Math.floor(room / held.each))
}

/** One n8n in regular mode, of a core and a GiB. */
export const regularSize: Size = { webhook: 0, worker: 0, main: 1, workerCpu: 1, workerMemory: 2 ** 30 }

/** Does one n8n in regular mode do it 19 times in 20? */
export const regularIsEnough = (fleet: Fleet, { rate, p95 }: Omit<Wanted, 'price'>): boolean =>
  meets(fleet, regularSize, rate, aim * p95, 'high')

/** Cores for a store, null where the run does not say what it used. */
export function storeCores(fleet: Fleet, part: 'redis' | 'postgresql', rate: number): number | null {
  const demand = demandOf(fleet, part)
  return demand ? coresFor(demand, rate) : null
}

/** Connections that all processes may open; null where their pools were not recorded. */
export function connectionsOf(fleet: Fleet, size: Size): number | null {
  const of = (part: 'main' | 'webhook' | 'worker') => demandOf(fleet, part)?.connections ?? null
  const [main, webhook, worker] = [of('main'), of('webhook'), of('worker')]
  if (webhook === null || worker === null) return null
  return size.main * (main ?? webhook) + size.webhook * webhook + size.worker * worker
}
