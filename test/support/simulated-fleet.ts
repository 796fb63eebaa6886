import { random as randomFrom } from './random.ts'

/**
 * A fleet of n8n in queue mode, as discrete events: nothing of the capacity model is in it. Callers come at random to
 * random webhook processors. Each processor and each worker does one thing after the other, until its quota of a tenth
 * of a second is used up. Workers stand still now and then to collect garbage. Redis runs one command after the
 * other. Bull gives each job to the worker that has asked for the longest, as Redis serves those who wait at a list.
 * PostgreSQL has its cores and one queue. Times are seconds.
 */

// A name of the module is found much faster in jest than a property of a global.
const { floor, log, max, min, round, sqrt } = Math

export interface FleetSetup {
  seed: number
  rate: number
  requests: number
  processors: number
  workers: number
  slots: number
  /** CPU seconds of one execution. */
  demands: { webhook: number; worker: number; redis: number; postgresql: number }
  /** Cores of one processor, of one worker, and of PostgreSQL. */
  cores: { webhook: number; worker: number; postgresql: number }
  /** Cores that each processor and each worker uses for nothing. */
  idle: number
  /** How much executions differ: the squared coefficient of variation of their demands. */
  variation: number
  /** For other services, half way through the execution. */
  held: number
  /** CPU seconds for which a worker stands still, each so many executions. */
  garbage?: { cpu: number; every: number }
  /** What an execution takes of a worker beside two others and more, of what it takes beside one: 1 if not given. */
  crowded?: number
  /** A worker that takes no jobs from one time on, for so long: those it has go on. */
  pauses?: { worker: number; from: number; seconds: number }[]
}

export interface Seen {
  seconds: number
  /** Executions that ended, a second. */
  rate: number
  latency: { mean: number; p50: number; p95: number }
  /** From the begin of executions at a worker to their end. */
  ran: { p50: number; p95: number }
  /** Cores in use by all of a part. */
  used: { webhook: number; worker: number; redis: number; postgresql: number }
}

/** Of the requests, those that only fill the fleet. */
const warmUp = 0.1

export function simulate(setup: FleetSetup): Seen {
  const { rate, requests, processors, workers, slots, demands, cores, idle, held } = setup
  const random = randomFrom(setup.seed)
  const exponential = (mean: number) => -mean * log(1 - random())
  const demanded = gamma(setup.variation, random, exponential)
  const events = openHeap<() => void>()
  let now = 0
  const after = (seconds: number, happen: () => void) => events.add(now + seconds, happen)

  /** One thing after the other, until the quota of this tenth of a second is used up. */
  function loop(quota: number) {
    const jobs: { work: number; done: () => void }[] = []
    let [first, busy, until, left] = [0, false, 0, 0]
    const go = () => {
      const job = jobs[first]
      if (!job) return void (busy = false)
      busy = true
      if (now >= until) {
        until = (floor(now / 0.1 + 1e-9) + 1) * 0.1
        left = 0.1 * quota
      }
      const piece = min(job.work, left, until - now)
      if (piece <= 1e-12) return after(max(1e-9, until - now), go)
      after(piece, () => {
        left -= piece
        job.work -= piece
        if (job.work <= 1e-12) {
          first++
          job.done()
        }
        go()
      })
    }
    return (work: number, done: () => void) => {
      jobs.push({ work, done })
      if (!busy) go()
    }
  }

  /** One queue for so many servers. */
  function queue(servers: number) {
    const waiting: { work: number; done: () => void }[] = []
    let [first, busy] = [0, 0]
    const begin = ({ work, done }: { work: number; done: () => void }) => {
      busy++
      after(work, () => {
        busy--
        if (first < waiting.length) begin(waiting[first++]!)
        done()
      })
    }
    return (work: number, done: () => void) => {
      if (busy < servers) begin({ work, done })
      else waiting.push({ work, done })
    }
  }

  const processor = Array.from({ length: processors }, () => loop(cores.webhook - idle))
  const worker = Array.from({ length: workers }, () => loop(cores.worker - idle))
  const redis = queue(1)
  const postgresql = queue(cores.postgresql)

  // Bull: the jobs that wait, and the workers that have asked for one, the longest first.
  const jobs: ((worker: number) => void)[] = []
  let firstJob = 0
  const asking: number[] = Array.from({ length: workers }, (_, index) => index)
  let firstAsking = 0
  const running = new Array<number>(workers).fill(0)
  const executed = running.map((_, one) => one * 7)
  const pausedUntil = new Array<number>(workers).fill(0)
  const deal = () => {
    while (firstJob < jobs.length && firstAsking < asking.length) {
      const one = asking[firstAsking++]!
      if (pausedUntil[one]! > now) {
        after(pausedUntil[one]! - now, () => ask(one))
        continue
      }
      running[one]!++
      if (running[one]! < slots) asking.push(one)
      jobs[firstJob++]!(one)
    }
  }
  const ask = (one: number) => {
    asking.push(one)
    deal()
  }
  const free = (one: number) => {
    running[one]!--
    if (running[one] === slots - 1) ask(one)
  }

  for (const pause of setup.pauses ?? []) {
    after(pause.from, () => {
      pausedUntil[pause.worker] = pause.from + pause.seconds
    })
  }

  const crowd = workers > 2 ? (setup.crowded ?? 1) : 1
  const latencies: number[] = []
  const runs: number[] = []
  const spent = { webhook: 0, worker: 0, redis: 0, postgresql: 0 }
  const from = floor(requests * warmUp)
  let [arrived, ended, begunAt] = [0, 0, 0]

  function arrive(): void {
    const nth = arrived++
    if (nth === from) begunAt = now
    if (arrived < requests) after(exponential(1 / rate), arrive)
    const at = now
    const counts = nth >= from
    const [webhookWork, workerWork] = [demands.webhook * demanded(), crowd * demands.worker * demanded()]
    const [redisWork, postgresqlWork] = [exponential(demands.redis), exponential(demands.postgresql)]
    if (counts) {
      spent.webhook += webhookWork
      spent.worker += workerWork
      spent.redis += redisWork
      spent.postgresql += postgresqlWork
    }
    const execute = (one: number) => {
      const begun = now
      if (setup.garbage && ++executed[one]! % setup.garbage.every === 0) {
        worker[one]!(setup.garbage.cpu, () => {})
        if (counts) spent.worker += setup.garbage.cpu
      }
      worker[one]!(workerWork / 2, () =>
        after(exponential(held), () =>
          worker[one]!(workerWork / 2, () => {
            if (counts) {
              runs.push(now - begun)
              latencies.push(now - at)
            }
            ended++
            free(one)
          }),
        ),
      )
    }
    processor[floor(random() * processors)]!(webhookWork, () =>
      postgresql(postgresqlWork, () =>
        redis(redisWork, () => {
          jobs.push(execute)
          deal()
        }),
      ),
    )
  }

  after(0, arrive)
  // What is under way when the last one has come would see an empty fleet.
  while (arrived < requests && events.size() > 0) {
    now = events.first()
    events.take()()
  }
  const seconds = now - begunAt
  while (events.size() > 0 && ended < requests) {
    now = events.first()
    events.take()()
  }
  const each = (count: number, work: number) => count * idle + work / seconds
  latencies.sort((a, b) => a - b)
  runs.sort((a, b) => a - b)
  const at = (all: number[], share: number) => all[floor(all.length * share)]!
  return {
    seconds,
    rate: (requests - from) / seconds,
    latency: {
      mean: latencies.reduce((sum, one) => sum + one, 0) / latencies.length,
      p50: at(latencies, 0.5),
      p95: at(latencies, 0.95),
    },
    ran: { p50: at(runs, 0.5), p95: at(runs, 0.95) },
    used: {
      webhook: each(processors, spent.webhook),
      worker: each(workers, spent.worker),
      redis: spent.redis / seconds,
      postgresql: spent.postgresql / seconds,
    },
  }
}

/** Of mean 1. Erlang where they differ less than exponential ones, hyperexponential where more. */
function gamma(variation: number, random: () => number, exponential: (mean: number) => number): () => number {
  if (variation === 0) return () => 1
  if (variation > 1) {
    const share = (1 + sqrt((variation - 1) / (variation + 1))) / 2
    return () => (random() < share ? exponential(1 / (2 * share)) : exponential(1 / (2 * (1 - share))))
  }
  const phases = round(1 / variation)
  return () => {
    let sum = 0
    for (let phase = 0; phase < phases; phase++) sum += exponential(1 / phases)
    return sum
  }
}

/** The earliest first. */
function openHeap<Item>() {
  const keys: number[] = []
  const items: Item[] = []
  return {
    size: () => keys.length,
    first: () => keys[0]!,
    add(key: number, item: Item): void {
      let at = keys.length
      while (at > 0) {
        const parent = (at - 1) >> 1
        if (keys[parent]! <= key) break
        keys[at] = keys[parent]!
        items[at] = items[parent]!
        at = parent
      }
      keys[at] = key
      items[at] = item
    },
    take(): Item {
      const top = items[0]!
      const [key, item] = [keys.pop()!, items.pop()!]
      const { length } = keys
      if (length === 0) return top
      let at = 0
      for (;;) {
        let child = 2 * at + 1
        if (child >= length) break
        if (child + 1 < length && keys[child + 1]! < keys[child]!) child++
        if (keys[child]! >= key) break
        keys[at] = keys[child]!
        items[at] = items[child]!
        at = child
      }
      keys[at] = key
      items[at] = item
      return top
    },
  }
}
