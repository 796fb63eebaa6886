/**
 * The queueing that a fleet is made of. No imports: the report's page runs this file too. Service and waiting times are
 * seconds, loads are shares of what a station can do.
 */

/** The time at a station: its mean, and its squared coefficient of variation. */
export interface Spent {
  mean: number
  variation: number
}

/**
 * Erlang's C: how likely all servers of an M/M/c station are busy. `load` is in servers: rate × service time. By the
 * recursion of Erlang's B, which neither overflows nor needs factorials.
 */
export function allBusy(servers: number, load: number): number {
  if (load >= servers) return 1
  let blocked = 1
  for (let each = 1; each <= servers; each++) blocked = (load * blocked) / (each + load * blocked)
  return blocked / (1 - (load / servers) * (1 - blocked))
}

/** The time at M/M/c: Redis and PostgreSQL, whose cores take from one queue. */
export function pooled(rate: number, service: number, servers: number): Spent {
  const load = rate * service
  if (load >= servers) return { mean: Infinity, variation: 1 }
  const waits = allBusy(servers, load)
  const wait = service / (servers - load)
  const mean = service + waits * wait
  // Service is exponential, and so is the wait of those that wait.
  const variance = service ** 2 + waits * (2 - waits) * wait ** 2
  return { mean, variation: variance / mean ** 2 }
}

/**
 * The share of arrivals that find a process at work: σ of GI/M/1 with gamma arrivals, whose squared coefficient of
 * variation is `evenness`. Random ones have 1, and σ is then the load.
 */
export function found(load: number, evenness: number): number {
  if (load >= 1) return 1
  const order = 1 / evenness
  if (order <= 1) return load
  const next = (sigma: number) => Math.exp(-order * Math.log1p((1 - sigma) / (order * load)))
  let [low, high] = [0, 1 - 1e-9]
  for (let turn = 0; turn < 40; turn++) {
    const middle = (low + high) / 2
    if (next(middle) > middle) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Processes that each share one event loop among all that they do at once. */
export interface Loops {
  /** The share of its speed that each is asked for. */
  load: number
  /** Seconds of an execution that is alone. */
  service: number
  /** Squared coefficients of variation: of the times between arrivals at one of them, and of what executions demand. */
  evenness: number
  variation: number
  /** What comes when so many are at each of them waits in one queue for all; none where they take all that comes. */
  slots?: number
  processes?: number
}

/**
 * The time at one of them: GI/G/1 with processor sharing. Exact for random arrivals, and for exponential demands. In
 * between, the wait goes with (evenness + variation) ÷ (1 + variation), as it does in heavy traffic. The part of the
 * queue that finds all slots taken waits as at M/G/c, as Allen and Cunneen have it. The variation follows M/M/1 with
 * processor sharing, whose (2 + ρ) ÷ (2 − ρ) it gives for exponential demands.
 */
export function sharedLoop({ load, service, evenness, variation, slots = Infinity, processes = 1 }: Loops): Spent {
  if (service === 0) return { mean: 0, variation: 0 }
  const sigma = load === 0 ? 0 : found(load, evenness)
  if (sigma >= 1) return { mean: Infinity, variation: 1 }
  const like = (2 * (evenness + variation)) / ((1 + variation) * (1 + evenness))
  const alone = (like * sigma) / (1 - sigma)
  const inOneQueue = (allBusy(processes, processes * load) / (processes * (1 - load))) * ((1 + variation) / 2)
  const full = sigma ** slots
  const waited = (1 - full) * alone + full * Math.min(alone, inOneQueue)
  // As if it were the load of an M/M/1 whose executions wait as long.
  const like1 = waited / (1 + waited)
  return { mean: service * (1 + waited), variation: ((1 + variation) * 2) / (2 - like1) - 1 }
}

/**
 * Executions a second of one worker whose slots are all taken, by mean value analysis of its closed network. So many
 * executions take turns at its event loop, for `service` each, and wait for other services in between, for `held`.
 */
export function fullSlots(slots: number, service: number, held: number): number {
  if (held === 0) return 1 / service
  let [queue, rate] = [0, 0]
  for (let taken = 1; taken <= slots; taken++) {
    const time = service * (1 + queue)
    rate = taken / (time + held)
    queue = rate * time
  }
  return rate
}

/** The 95th percentile of stations passed one after the other: of the lognormal with the same mean and variance. */
export function percentile95(stations: Spent[]): number {
  const mean = stations.reduce((sum, one) => sum + one.mean, 0)
  if (!Number.isFinite(mean)) return Infinity
  if (mean === 0) return 0
  const variance = stations.reduce((sum, one) => sum + one.variation * one.mean ** 2, 0)
  const spread = Math.log1p(variance / mean ** 2)
  return mean * Math.exp(1.6449 * Math.sqrt(spread) - spread / 2)
}
