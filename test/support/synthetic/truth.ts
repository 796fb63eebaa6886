import { requestsDue } from '../../../loadtests/scenarios/schedule.ts'
import { random } from '../random.ts'
import { virtualClock } from './clock.ts'
import { made, type Made } from './servers.ts'

/**
 * What a made server truly sustains for callers who come at random. That is the highest rate at which no more than the
 * allowed share of all answers is later than the objective, in the long run.
 */

/** The share of answers later than `objective` milliseconds under a rate for ever, and what that may be off by. */
export function lateShare(
  of: Made,
  rate: number,
  objective: number,
  arrivals = 400_000,
): { share: number; error: number } {
  const clock = virtualClock()
  const server = made(of)(clock, 1)
  const next = random(2)
  // A hundred stretches of time: how far their shares lie apart tells the error of their mean.
  const stretches = Array.from({ length: 100 }, () => ({ late: 0, of: 0 }))
  const aside = arrivals / 20
  let came = 0
  const come = () => {
    const [nth, at] = [came++, clock.now()]
    server.request(
      () => {
        if (nth < aside) return
        const stretch = stretches[Math.min(99, Math.floor(((nth - aside) * 100) / (arrivals - aside)))]!
        stretch.of++
        if (clock.now() - at > objective) stretch.late++
      },
      () => {},
    )
    if (came < arrivals) clock.at(at - (Math.log(1 - next()) * 1000) / rate, come)
  }
  clock.at(0, come)
  clock.drain()
  const shares = stretches.map((one) => one.late / one.of)
  const share = shares.reduce((sum, one) => sum + one, 0) / shares.length
  const variance = shares.reduce((sum, one) => sum + (one - share) ** 2, 0) / (shares.length - 1)
  return { share, error: Math.sqrt(variance / shares.length) }
}

export interface Truth {
  rate: number
  /** What it may be off by, as a share, 19 times in 20: 0 where a formula tells it. */
  within: number
}

/** The capacity under a latency objective, by halving between nothing and what the server can finish at all. */
export function capacityFor(of: Made, objective: number, allowed: number, arrivals?: number): Truth {
  let [low, high] = [0, throughputOf(of) * 0.9999]
  for (let halving = 0; halving < 12; halving++) {
    const middle = (low + high) / 2
    if (lateShare(of, middle, objective, arrivals).share > allowed) high = middle
    else low = middle
  }
  const rate = (low + high) / 2
  const { share, error } = lateShare(of, rate, objective, arrivals)
  const beside = lateShare(of, rate * 0.98, objective, arrivals)
  const slope = (share - beside.share) / (0.02 * rate)
  return { rate, within: (1.96 * error) / slope / rate + (high - low) / rate }
}

/** What a search with this objective should find, with executions that may lag behind by a share. */
export function truthOf(of: Made, { p95, backlog }: { p95: number; backlog: number }, seconds: number): Truth {
  if (of.kind === 'leak') return { rate: throughputOf(of) / (1 - backlog), within: 0 }
  if (of.kind === 'losing') return losesFrom(of, seconds)
  if (of.kind === 'queue' && of.workers === 1 && of.service.spread === 'exponential')
    return { rate: exponentialQueue(of.service.mean, p95, 0.05), within: 0 }
  return capacityFor(of, p95, 0.05, of.kind === 'stall' ? 1_000_000 : undefined)
}

/**
 * None may be lost, and at any rate chance loses one some day. So its capacity is the rate at which half of all
 * stretches of so many seconds lose none.
 */
function losesFrom(of: Made, seconds: number): Truth {
  const stretches = 200
  const losing = (rate: number) => {
    let some = 0
    for (let seed = 1; seed <= stretches; seed++) {
      const clock = virtualClock()
      const server = made(of)(clock, seed)
      const due = Array.from(
        requestsDue({ from: rate, stages: [{ rate, seconds }], arrivals: 'random', seed }),
        ({ second }) => second,
      )
      let lost = false
      const ended = (how: 'succeeded' | 'lost') => void (lost ||= how === 'lost')
      for (const moment of due) clock.at(moment * 1000, () => server.request(() => {}, ended))
      clock.drain(() => lost)
      if (lost) some++
    }
    return some / stretches
  }
  let [low, high] = [0, throughputOf(of) * 1.2]
  for (let halving = 0; halving < 10; halving++) {
    const middle = (low + high) / 2
    if (losing(middle) > 0.5) high = middle
    else low = middle
  }
  return { rate: (low + high) / 2, within: 0.02 }
}

/** Requests a second that it can finish at all. */
export function throughputOf(of: Made): number {
  const each = 1000 / of.service.mean
  if (of.kind === 'queue') return each * of.workers
  return of.kind === 'stall' ? each * (1 - of.lasts / of.every) : each
}

/** One queue with exponential service times, by its formula. */
export const exponentialQueue = (mean: number, objective: number, allowed: number): number =>
  1000 / mean - (1000 * Math.log(1 / allowed)) / objective
