import type { Price } from '../../model/experiment.ts'
import type { Fleet, Size } from '../../model/fleet.ts'
import { coresFor, costOf, demandOf, fullAt, mainsFor, meets, planned } from './model.ts'

/** The smallest fleet that meets an objective. */

export interface Wanted {
  rate: number
  /** Seconds. */
  p95: number
  price: Price
}

/** A fleet whose p95 is the objective misses it every other time. Its p95 is to be this share of it. */
const aim = 0.95
/** More of a role than this is no plan. */
const most = 10_000
/** How many processors more than their CPU needs may make workers fewer. */
const tries = 12

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

/** The cheapest that sustains the rate within the objective; null where no number of workers does. */
export function smallest(fleet: Fleet, { rate, p95, price }: Wanted, given = usualSize(fleet)): Size | null {
  const main = mainsFor(fleet, rate)
  const webhook = demandOf(fleet, 'webhook')!
  const fewest = Math.max(1, Math.ceil(rate / (planned * fullAt(webhook, { ...given, webhook: 1 }))))
  if (fewest > most) return null
  const cells = Array.from({ length: tries }, (_, more): Size | null => {
    // One more matters little where there are many.
    const processors = fewest + Math.ceil(more * Math.max(1, fewest / tries))
    return fewestWorkers(fleet, { ...given, main, webhook: processors }, rate, p95)
  })
  const found = cells.filter((size) => size !== null)
  const cost = (size: Size) => costOf(fleet, size, rate, price) ?? size.webhook + size.worker
  return found.reduce<Size | null>((best, size) => (best === null || cost(size) < cost(best) ? size : best), null)
}

/** Latency falls with each worker more, so the fewest are found by halving. */
function fewestWorkers(fleet: Fleet, size: Size, rate: number, p95: number): Size | null {
  const enough = (worker: number) => meets(fleet, { ...size, worker }, rate, aim * p95)
  let high = 1
  while (!enough(high)) {
    high *= 2
    if (high > most) return null
  }
  let low = Math.floor(high / 2)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (enough(middle)) high = middle
    else low = middle
  }
  return { ...size, worker: high }
}

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
