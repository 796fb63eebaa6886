import { normal, random } from '../random.ts'
import type { Clock } from './clock.ts'
import type { Made, Server } from './servers.ts'

/**
 * A made n8n in simulated time, a millisecond at a time: workers with an event loop each, threads beside it, garbage
 * collection, CPU limits, services that it waits for. It knows nothing of the model that is tried on it.
 */
export interface Machine {
  workers: number
  /** Executions that one worker may run at once; 0 is any number. */
  slots: number
  /** Work in turn, or all at a time. */
  sharing: boolean
  cores: number
  /** CPU seconds a second that a worker may use, by 100 ms; 0 is no limit. */
  quota: number
  /** CPU seconds of an execution, and standard deviation ÷ mean. */
  demand: number
  uneven: number
  /** Lognormal in place of gamma. */
  heavy: boolean
  /** An execution is so many pieces of work, with a wait of so many seconds in its middle. */
  pieces: number
  wait: number
  waitUneven: number
  /** The share of its work that threads do while the loop goes on, and how many threads. */
  threaded: number
  threads: number
  /** CPU seconds beside each of the loop, on another thread. */
  beside: number
  /** Garbage: every so many executions everything stops for CPU seconds; or half the pace is lost for CPU seconds. */
  stopEvery: number
  stopFor: number
  slowEvery: number
  slowFor: number
  /** The pace of the machine swings by a share in so many seconds, and others take 70 % of it now and then. */
  swing: number
  swingIn: number
  swingFrom: number
  stealRate: number
  stealFor: number
  /** The demand grows by a share when it is busy. */
  growth: number
  /** A second server behind it, one at a time, so many seconds for each. */
  second: number
  secondUneven: boolean
  /** Answers at once, and works behind that. */
  leak: boolean
  /** Dies with more executions under way than this; 0 is never. */
  room: number
  /** Stands still every so many seconds, for so many. */
  stallEvery: number
  stallFor: number
  /** It takes so many times the CPU for its first requests: V8 has not compiled it yet. */
  coldFor: number
  coldTimes: number
  /** With more executions under way than this, all of it is four times as slow; 0 is never. */
  cliff: number
  /** Stands still once, so many seconds after it began, for so many. */
  restAfter: number
  restFor: number
  /** The pace of its machine drifts: standard deviation, seconds that it remembers, and which drift of all. */
  drift: number
  driftIn: number
  driftSeed: number
}

export const usualMachine: Machine = {
  workers: 1,
  slots: 0,
  sharing: false,
  cores: 1,
  quota: 0,
  demand: 0.06,
  uneven: 0.5,
  heavy: false,
  pieces: 2,
  wait: 0.07,
  waitUneven: 0.1,
  threaded: 0,
  threads: 0,
  beside: 0,
  stopEvery: 0,
  stopFor: 0,
  slowEvery: 0,
  slowFor: 0,
  swing: 0,
  swingIn: 150,
  swingFrom: -1,
  stealRate: 0,
  stealFor: 0,
  growth: 0,
  second: 0,
  secondUneven: false,
  leak: false,
  room: 0,
  stallEvery: 0,
  stallFor: 0,
  coldFor: 0,
  coldTimes: 1,
  cliff: 0,
  restAfter: 0,
  restFor: 0,
  drift: 0,
  driftIn: 30,
  driftSeed: 1,
}

/** What a server in a process of its own may be. */
export type Served = Made | { kind: 'machine'; of: Partial<Machine> }

interface Job {
  answered: () => void
  ended: (how: 'succeeded' | 'lost') => void
  piece: number
  loops: number[]
  helps: number[]
  waits: number
  worker: number
  left: number
  help: number
}

interface Worker {
  loop: Job[]
  pool: Job[]
  running: number
  stop: number
  slow: number
  beside: number
  period: number
  used: number
  phase: number
  cpu: number
  collected: number
}

const tick = 0.001

/** The pace of a machine by the second, which two on the same machine have in common (Ornstein and Uhlenbeck). */
function drifting({ drift, driftIn, driftSeed }: Machine): (seconds: number) => number {
  const next = random(driftSeed)
  const kept = Math.exp(-1 / driftIn)
  const paces = [normal(next) * drift]
  return (seconds) => {
    while (paces.length <= seconds) paces.push(kept * paces.at(-1)! + Math.sqrt(1 - kept ** 2) * drift * normal(next))
    return Math.exp(paces[Math.max(0, Math.floor(seconds))]!)
  }
}

export const machine =
  (of: Partial<Machine>) =>
  (clock: Clock, seed: number): Server => {
    const m = { ...usualMachine, ...of }
    const next = random(seed * 7919 + 13)
    const exponential = () => -Math.log(1 - next())
    const gamma = (shape: number): number => {
      if (shape < 1) return gamma(shape + 1) * (1 - next()) ** (1 / shape)
      const d = shape - 1 / 3
      const c = 1 / Math.sqrt(9 * d)
      while (true) {
        const x = normal(next)
        const v = (1 + c * x) ** 3
        if (v > 0 && Math.log(1 - next()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v
      }
    }
    const uneven = (mean: number, share: number) => (share > 0 ? mean * gamma(1 / share ** 2) * share ** 2 : mean)
    const workers: Worker[] = Array.from({ length: m.workers }, () => ({
      ...{ loop: [], pool: [], running: 0, stop: 0, slow: 0, beside: 0 },
      ...{ period: -1, used: 0, phase: next() * 0.1, cpu: 0, collected: 0 },
    }))
    const swingFrom = m.swingFrom >= 0 ? m.swingFrom : next()
    const stallPhase = next() * m.stallEvery
    const drift = m.drift > 0 ? drifting(m) : () => 1
    let served = 0
    /** Seconds, as all times here. */
    let now = clock.now() / 1000
    const began = now
    let busy = 0
    let steal = 0
    let cpu = 0
    let deaths = 0
    let dealt = 0
    let underWay = 0
    const queue: Job[] = []
    const behind: Job[] = []
    let waiting: { job: Job; until: number }[] = []
    let awake = false

    function service(): number {
      const mean = m.demand * (1 + m.growth * busy) * (served++ < m.coldFor ? m.coldTimes : 1)
      if (m.uneven <= 0) return mean
      if (!m.heavy) return uneven(mean, m.uneven)
      const variance = Math.log(1 + m.uneven ** 2)
      return mean * Math.exp(normal(next) * Math.sqrt(variance) - variance / 2)
    }

    function come(answered: Job['answered'], ended: Job['ended']): void {
      const total = service()
      const cuts = Array.from({ length: m.pieces }, () => (m.pieces > 1 ? 0.3 + exponential() : 1))
      const sum = cuts.reduce((all, one) => all + one, 0)
      const loops = cuts.map((cut) => ((total * cut) / sum) * (1 - m.threaded))
      const helps = cuts.map((cut) => ((total * cut) / sum) * m.threaded)
      const waits = m.pieces > 1 && m.wait > 0 ? uneven(m.wait, m.waitUneven) : 0
      underWay++
      const job = { answered, ended, piece: 0, loops, helps, waits, worker: -1, left: 0, help: 0 }
      if (m.leak) clock.at(clock.now() + 50, answered)
      queue.push(job)
      if (m.room > 0 && underWay > m.room) return die()
      wake()
    }

    function begin(job: Job): void {
      job.left = job.loops[job.piece]!
      workers[job.worker]!.loop.push(job)
    }

    function pieceDone(job: Job, at: number): void {
      const wait = job.piece === Math.max(0, (m.pieces >> 1) - 1) ? job.waits : 0
      job.piece++
      if (job.piece >= m.pieces) {
        underWay--
        workers[job.worker]!.running--
        if (!m.leak) job.answered()
        job.ended('succeeded')
      } else if (m.second > 0 && job.piece === m.pieces >> 1) {
        job.left = m.second * (m.secondUneven ? exponential() : 1)
        job.help = wait
        behind.push(job)
      } else if (wait > 0) waiting.push({ job, until: at + wait })
      else begin(job)
    }

    function loopDone(job: Job, at: number): void {
      const help = job.helps[job.piece]!
      if (help <= 1e-9) return pieceDone(job, at)
      job.help = help
      workers[job.worker]!.pool.push(job)
    }

    function deal(): void {
      while (queue.length) {
        let best = -1
        for (let nth = 0; nth < workers.length; nth++) {
          const one = (nth + dealt) % workers.length
          const { running } = workers[one]!
          if (m.slots > 0) {
            if (running < m.slots && best < 0) best = one
          } else if (best < 0 || running < workers[best]!.running) best = one
        }
        if (best < 0) return
        dealt++
        const job = queue.shift()!
        job.worker = best
        workers[best]!.running++
        begin(job)
      }
    }

    function step(): void {
      let pace = 1
      if (m.swing > 0) pace += m.swing * Math.SQRT2 * Math.sin(2 * Math.PI * (now / m.swingIn + swingFrom))
      if (steal > 0) {
        steal -= tick
        pace *= 0.3
      } else if (m.stealRate > 0 && next() < m.stealRate * tick) steal = m.stealFor * (0.3 + exponential())
      pace *= drift(now)
      if (m.cliff > 0 && underWay > m.cliff) pace *= 0.25
      const rests = m.restFor > 0 && now - began > m.restAfter && now - began < m.restAfter + m.restFor
      const stalls = rests || (m.stallEvery > 0 && (now + stallPhase) % m.stallEvery < m.stallFor)
      if (waiting.length) {
        const due = waiting.filter(({ until }) => until <= now + tick)
        if (due.length) {
          waiting = waiting.filter(({ until }) => until > now + tick)
          for (const { job } of due) begin(job)
        }
      }
      deal()
      for (let left = tick; left > 1e-12 && behind.length;) {
        const job = behind[0]!
        const used = Math.min(job.left, left)
        job.left -= used
        left -= used
        if (job.left > 1e-12) break
        behind.shift()
        waiting.push({ job, until: now + tick - left + job.help })
      }
      let all = 0
      for (const worker of workers) all += work(worker, pace, stalls)
      cpu += all
      busy = Math.min(1, busy + ((all / tick / m.workers - busy) * tick) / 3)
      now += tick
    }

    /** Returns the CPU seconds that the worker used in this tick. */
    function work(worker: Worker, pace: number, stalls: boolean): number {
      let budget = Infinity
      if (m.quota > 0) {
        const period = Math.floor((now + worker.phase) / 0.1)
        if (period !== worker.period) [worker.period, worker.used] = [period, 0]
        budget = m.quota * 0.1 - worker.used
        if (budget <= 0) return 0
      }
      const stops = worker.stop > 0
      const slow = worker.slow > 0
      const loops = worker.loop.length > 0 && !stops
      const helping = Math.min(worker.pool.length, m.threads)
      const run = Number(loops) + helping + Number(slow) + Number(stops) + Number(worker.beside > 0)
      if (stalls || run === 0) {
        if (stops) worker.stop -= tick
        if (slow) worker.slow -= tick
        return 0
      }
      const share = run > m.cores ? m.cores / run : 1
      const scale = Math.min(1, budget / (run * tick * share))
      const own = tick * share * scale
      const speed = own * pace
      let spent = 0
      if (stops) [worker.stop, spent] = [worker.stop - own, spent + own]
      if (slow) [worker.slow, spent] = [worker.slow - own, spent + own]
      if (worker.beside > 0) [worker.beside, spent] = [worker.beside - speed, spent + own]
      const helped = worker.pool.slice(0, helping)
      for (const job of helped) {
        const used = Math.min(job.help, speed)
        job.help -= used
        spent += used / pace
      }
      for (const job of helped) {
        if (job.help > 1e-12) continue
        worker.pool.splice(worker.pool.indexOf(job), 1)
        pieceDone(job, now + tick)
      }
      if (loops) spent += (m.sharing ? shared(worker, speed) : inTurn(worker, speed, pace)) / pace
      worker.used += spent
      worker.cpu += spent
      const executions = Math.floor(worker.cpu / m.demand)
      if (executions !== worker.collected) {
        const passed = (every: number) =>
          every > 0 && Math.floor(executions / every) !== Math.floor(worker.collected / every)
        if (passed(m.stopEvery)) worker.stop = m.stopFor
        if (passed(m.slowEvery)) worker.slow = m.slowFor
        worker.collected = executions
      }
      return spent
    }

    function inTurn(worker: Worker, speed: number, pace: number): number {
      let left = speed
      while (left > 1e-12 && worker.loop.length) {
        const job = worker.loop[0]!
        const used = Math.min(job.left, left)
        job.left -= used
        left -= used
        worker.beside += used * m.beside
        if (job.left > 1e-12) break
        worker.loop.shift()
        loopDone(job, now + tick - left / pace)
      }
      return speed - left
    }

    function shared(worker: Worker, speed: number): number {
      let left = speed
      for (let pass = 0; pass < 4 && left > 1e-12 && worker.loop.length; pass++) {
        const jobs = worker.loop
        worker.loop = []
        const each = left / jobs.length
        for (const job of jobs) {
          const used = Math.min(job.left, each)
          job.left -= used
          left -= used
          worker.beside += used * m.beside
          if (job.left <= 1e-12) loopDone(job, now + tick)
          else worker.loop.push(job)
        }
      }
      return speed - left
    }

    /** What has passed since it last worked: nothing else happens while it is idle. */
    function wake(): void {
      if (awake) return
      awake = true
      const passed = clock.now() / 1000 - now
      now += passed
      busy *= Math.exp(-passed / 3)
      for (const worker of workers) {
        worker.stop = Math.max(0, worker.stop - passed)
        worker.slow = Math.max(0, worker.slow - passed)
      }
      clock.at(1000 * (now + tick), go)
    }

    /** Where the clock is real, one call may come for several ticks. */
    function go(): void {
      while (now + tick <= clock.now() / 1000 + 1e-9) step()
      if (underWay > 0) clock.at(1000 * (now + tick), go)
      else awake = false
    }

    function die(): void {
      const all = [
        ...queue,
        ...behind,
        ...waiting.map(({ job }) => job),
        ...workers.flatMap(({ loop, pool }) => [...loop, ...pool]),
      ]
      queue.length = 0
      behind.length = 0
      waiting = []
      for (const worker of workers)
        Object.assign(worker, { loop: [], pool: [], running: 0, stop: 0, slow: 0, beside: 0 })
      underWay = 0
      deaths++
      for (const job of all) job.ended('lost')
    }

    return {
      request: come,
      cpu: () => cpu,
      deaths: () => deaths,
    }
  }
