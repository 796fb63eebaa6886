import { fillWithWork, type Random } from '../estimate/random.ts'

/**
 * A fleet of n8n as discrete events, in queue mode and in regular mode. The page of the report runs this file too.
 * Times are seconds, work is CPU seconds.
 *
 * An event loop, a core of PostgreSQL and Redis do one thing after the other, in the order in which it came. So the end
 * of each piece of work is known when it comes, and a moment at which it is free is all that is kept of a station.
 */

// A name of the module is found much faster in jest than a property of a global.
const { ceil, floor, log, max, min } = Math

/** One process with an event loop. */
export interface Loop {
  /** CPU seconds that an execution takes of it. */
  seconds: number
  /** Cores that it may use. */
  cores: number
  /** Cores that it uses while its loop is busy: 1 without other threads. */
  threads: number
  /** Cores that it uses without load. It comes once a second, as each look at its metrics does. */
  idle: number
}

/** What stops an event loop now and then: a full collection of its garbage. */
export interface Pause {
  /** CPU seconds. */
  cpu: number
  /** Executions between two of them. */
  every: number
}

export interface Setup {
  /** None in regular mode: one that comes is executed at once. */
  processors: number
  processor: Loop
  workers: number
  worker: Loop
  pause: Pause | null
  /** Beside each worker, where code runs in a process of its own. */
  runner: Loop | null
  /** Executions that one worker runs at a time. */
  slots: number
  redis: number
  postgresql: { seconds: number; cores: number }
  /** How much executions differ in what they take of their worker: a squared coefficient of variation. */
  variation: number
  /** For other services, half way through, with its squared coefficient of variation. */
  held: number
  heldVariation: number
  /** Callers are answered before their execution begins. */
  atOnce: boolean
  /** Of each answer, whatever the load. */
  delay: number
}

export interface Simulated {
  /** From a request to its answer, in the order of the requests. */
  latency: Float64Array
  /** From the begin of an execution at its worker to its end. */
  ran: Float64Array
  /** The moment at which the last execution ended. */
  end: number
}

/** Of the CPU quota of a container. */
const period = 0.1
/** An execution waits for PostgreSQL between its pieces. */
const pieces = 6
/** Of a processor: one when a request comes, one when its answer does. */
const halves = 2

/** From the arrival to the answer; even ones from `piece` on run at the worker, odd ones wait for PostgreSQL. */
const [arrival, taken, queued, piece] = [0, 1, 2, 3]
const executed = piece + 2 * pieces - 1
const told = executed + 1
const middle = piece + 2 * floor(pieces / 2) - 1
const [outside, inRunner] = [told + 1, told + 2]

/** What happens to requests that come at these moments, which are in order. */
export function simulate(setup: Setup, arrivals: Float64Array, next: Random): Simulated {
  const { processors, workers, runner, slots, atOnce, delay } = setup
  const count = arrivals.length
  const loops = loopsOf(setup, next)
  const store = inTurn(setup.postgresql.cores)
  const redis = inTurn(1)
  const query = setup.postgresql.seconds / (pieces + 1)
  const exponential = (mean: number) => -mean * log(1 - next())
  const { work, held, stage, worker, processor, begun, jobs, times, ids } = roomFor(count)
  fillWithWork(work.subarray(0, count), setup.variation ** 0.5, next)
  if (setup.held > 0) fillWithWork(held.subarray(0, count), setup.heldVariation ** 0.5, next)
  stage.fill(arrival, 0, count)

  const latency = new Float64Array(count)
  const ran = new Float64Array(count)
  const events = openHeap(times, ids)
  let [arrived, end] = [0, 0]

  // Bull: jobs in their order, to the worker that has asked for the longest.
  let [firstJob, lastJob] = [0, 0]
  const running = new Int32Array(workers)
  const asking = new Int32Array(workers)
  let [firstAsking, askers] = [0, 0]
  const ask = (one: number) => void (asking[(firstAsking + askers++) % workers] = one)
  for (let one = 0; one < workers; one++) ask(one)
  const deal = (now: number) => {
    while (firstJob < lastJob && askers > 0) {
      const [job, one] = [jobs[firstJob++]!, asking[firstAsking]!]
      firstAsking = (firstAsking + 1) % workers
      askers--
      if (++running[one]! < slots) ask(one)
      worker[job] = one
      begun[job] = now
      stage[job] = piece
      events.add(loops.run(processors + one, now, own(job)), job)
    }
  }
  const own = (job: number) => (work[job]! * loops.work * (0.5 + next())) / pieces
  const arrive = () => {
    if (arrived < count) events.add(arrivals[arrived]!, arrived++)
  }

  arrive()
  while (events.size() > 0) {
    const now = events.time()
    const job = events.take()
    const at = stage[job]!
    if (at === arrival) {
      arrive()
      stage[job] = taken
      if (processors > 0) {
        processor[job] = floor(next() * processors)
        events.add(loops.run(processor[job]!, now, setup.processor.seconds / halves), job)
      } else events.add(store.run(now, exponential(query)), job)
    } else if (at === taken) {
      stage[job] = queued
      if (processors > 0) events.add(redis.run(store.run(now, exponential(query)), setup.redis), job)
      else events.add(now, job)
    } else if (at === queued) {
      if (atOnce) latency[job] = now - arrivals[job]! + delay
      jobs[lastJob++] = job
      deal(now)
    } else if (at === told) {
      latency[job] = now - arrivals[job]! + delay
    } else if (at === outside && runner) {
      stage[job] = inRunner
      events.add(loops.run(processors + workers + worker[job]!, now, runner.seconds * work[job]!), job)
    } else if (at === middle) {
      stage[job] = outside
      events.add(now + setup.held * held[job]!, job)
    } else if (at === executed) {
      const one = worker[job]!
      ran[job] = now - begun[job]!
      end = max(end, now)
      if (running[one]!-- === slots) ask(one)
      deal(now)
      if (atOnce) continue
      if (processors > 0) {
        stage[job] = told
        events.add(loops.run(processor[job]!, now, setup.processor.seconds / halves), job)
      } else latency[job] = now - arrivals[job]! + delay
    } else if (at >= outside || (at - piece) % 2 === 1) {
      stage[job] = at >= outside ? middle + 1 : at + 1
      events.add(loops.run(processors + worker[job]!, now, own(job)), job)
    } else {
      stage[job] = at + 1
      events.add(store.run(now, exponential(query)), job)
    }
  }
  return { latency, ran, end }
}

/** What is known of each execution, and the room for events: kept, as a fleet is simulated hundreds of times. */
function room(count: number) {
  const [numbers, figures] = [() => new Int32Array(count + 1), () => new Float64Array(count + 1)]
  return {
    count,
    work: figures(),
    held: figures(),
    begun: figures(),
    times: figures(),
    stage: new Int8Array(count),
    worker: numbers(),
    processor: numbers(),
    jobs: numbers(),
    ids: numbers(),
  }
}

let kept = room(0)
const roomFor = (count: number) => (kept.count >= count ? kept : (kept = room(2 * count)))

/** The event loops of processors, workers and their runners, in this order. */
function loopsOf({ processors, processor, workers, worker, pause, runner }: Setup, next: Random) {
  const all = [
    ...Array.from({ length: processors }, () => processor),
    ...Array.from({ length: workers }, () => worker),
    ...(runner ? Array.from({ length: workers }, () => runner) : []),
  ]
  const free = new Float64Array(all.length)
  const phase = Float64Array.from(all, () => next() * period)
  const within = new Float64Array(all.length).fill(-1)
  const used = new Float64Array(all.length)
  const looked = Float64Array.from(all, () => next())
  const between = pause ? pause.every * worker.seconds : Infinity
  const spent = Float64Array.from(all, () => (pause ? next() * between : 0))
  const isWorker = (one: number) => one >= processors && one < processors + workers

  /** Until so much is done, in periods at each of which the container may use its quota. */
  const spend = (one: number, from: number, cpu: number): void => {
    const { cores, threads } = all[one]!
    let at = max(from, free[one]!)
    let left = cpu
    if (cores < threads) {
      const quota = cores * period
      const current = floor((at - phase[one]!) / period)
      if (current !== within[one]) {
        within[one] = current
        used[one] = 0
      }
      const rest = max(0, min(quota - used[one]!, (phase[one]! + (current + 1) * period - at) * threads))
      if (left > rest) {
        left -= rest
        const whole = ceil(left / quota) - 1
        left -= whole * quota
        within[one] = current + 1 + whole
        used[one] = 0
        at = phase[one]! + within[one]! * period
      }
      used[one]! += left
    }
    free[one] = at + left / threads
  }
  return {
    /** Of a worker's execution, beside its share of the pauses. */
    work: max(0, worker.seconds - (pause ? pause.cpu / pause.every : 0)),
    run(one: number, now: number, cpu: number): number {
      const { idle } = all[one]!
      while (idle > 0 && looked[one]! <= now) spend(one, looked[one]!++, idle)
      if (pause && isWorker(one) && (spent[one]! += cpu) >= between) {
        spent[one]! -= between
        spend(one, now, pause.cpu)
      }
      spend(one, now, cpu)
      return free[one]!
    },
  }
}

/** Cores that take from one queue. */
function inTurn(cores: number) {
  const free = new Float64Array(max(1, ceil(cores)))
  return {
    run(now: number, seconds: number): number {
      let first = 0
      for (let one = 1; one < free.length; one++) if (free[one]! < free[first]!) first = one
      return (free[first] = max(now, free[first]!) + seconds)
    },
  }
}

/** The earliest first. */
function openHeap(times: Float64Array, jobs: Int32Array) {
  let size = 0
  return {
    size: () => size,
    time: () => times[0]!,
    add(time: number, job: number): void {
      let at = size++
      while (at > 0) {
        const parent = (at - 1) >> 1
        if (times[parent]! <= time) break
        times[at] = times[parent]!
        jobs[at] = jobs[parent]!
        at = parent
      }
      times[at] = time
      jobs[at] = job
    },
    take(): number {
      const top = jobs[0]!
      const [time, job] = [times[--size]!, jobs[size]!]
      let at = 0
      for (let child = 1; child < size; child = 2 * at + 1) {
        if (child + 1 < size && times[child + 1]! < times[child]!) child++
        if (times[child]! >= time) break
        times[at] = times[child]!
        jobs[at] = jobs[child]!
        at = child
      }
      times[at] = time
      jobs[at] = job
      return top
    },
  }
}
