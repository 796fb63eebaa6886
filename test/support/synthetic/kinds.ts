import { random } from '../random.ts'
import { virtualClock } from './clock.ts'
import { machine, type Machine } from './machine.ts'

export interface Kind {
  of: Partial<Machine>
  /** What it sustains for random callers once it is warm. */
  truth: number
  /** Milliseconds of its objective, where it is not the lab's. */
  p95?: number
  /** Two of the kind are told apart. */
  likeN8n?: true
  /** It takes longer at first. */
  cold?: true
}

/** Milliseconds: the lab's own p95. */
export const usualP95 = 1000

const threads: Partial<Machine> = { uneven: 0.4, pieces: 8, threaded: 0.55, threads: 3 }

/**
 * Made kinds of n8n, and what each truly sustains for random callers with p95 within the lab's objective of 1 s, from
 * hours of `longRun`.
 */
export const madeKinds: Record<string, Kind> = {
  'in turn, even work': { of: { uneven: 0.3 }, truth: 14.4 },
  'in turn, uneven work': { of: { uneven: 0.8 }, truth: 13.17 },
  'in turn, heavy tail': { of: { uneven: 1.5, heavy: true, demand: 0.05 }, truth: 13.54 },
  'in turn, 20 ms': { of: { uneven: 0.6, demand: 0.02, wait: 0.02 }, truth: 47.2 },
  'in turn, 120 ms': { of: { demand: 0.12 }, truth: 5.79 },
  sharing: { of: { demand: 0.055, sharing: true }, truth: 14.9 },
  'sharing, heavy tail': { of: { uneven: 1.5, heavy: true, demand: 0.055, sharing: true }, truth: 14.15 },
  threads: { of: { uneven: 0.4, demand: 0.062, pieces: 8, threaded: 0.55, threads: 3 }, truth: 12.68, likeN8n: true },
  'threads and garbage': {
    of: {
      ...{ uneven: 0.4, demand: 0.058, pieces: 8, threaded: 0.55, threads: 3 },
      ...{ stopEvery: 200, stopFor: 0.18, slowEvery: 30, slowFor: 0.2 },
    },
    truth: 11.5,
    likeN8n: true,
  },
  'garbage stops it': {
    of: { demand: 0.058, pieces: 3, stopEvery: 150, stopFor: 0.25, slowEvery: 20, slowFor: 0.2 },
    truth: 10.62,
    likeN8n: true,
  },
  'a limit of one CPU': {
    of: { demand: 0.045, pieces: 6, threaded: 0.35, threads: 3, cores: 2, quota: 1, beside: 0.35 },
    truth: 15.13,
    likeN8n: true,
  },
  'a limit of 0.6 CPU': {
    of: { demand: 0.04, pieces: 4, threaded: 0.3, threads: 3, cores: 2, quota: 0.6, beside: 0.2 },
    truth: 10.38,
    likeN8n: true,
  },
  'others on the machine': {
    of: { demand: 0.058, pieces: 4, swing: 0.05, swingIn: 240, stealRate: 0.15, stealFor: 0.12 },
    truth: 13.35,
    likeN8n: true,
  },
  'a pace that swings': {
    of: { uneven: 0.4, pieces: 8, threaded: 0.4, threads: 3, swing: 0.05, swingIn: 90 },
    truth: 12.87,
    likeN8n: true,
  },
  'slower when busy': { of: { demand: 0.055, pieces: 4, growth: 0.15 }, truth: 13.16 },
  'a service, one at a time': { of: { demand: 0.03, pieces: 4, second: 0.065 }, truth: 13.64 },
  'a service, uneven': { of: { demand: 0.04, pieces: 4, second: 0.05, secondUneven: true }, truth: 16.38 },
  'two workers': { of: { uneven: 0.6, demand: 0.11, pieces: 3, workers: 2 }, truth: 14.68 },
  'four workers, 200 ms': { of: { uneven: 0.6, demand: 0.2, pieces: 3, workers: 4, slots: 5 }, truth: 14.32 },
  'four workers, 100 ms': { of: { uneven: 0.6, demand: 0.1, pieces: 3, workers: 4, slots: 5 }, truth: 37.08 },
  'waits for 300 ms': { of: { demand: 0.055, wait: 0.3, waitUneven: 0.15 }, truth: 14.9 },
  'stands still': { of: { uneven: 0.3, demand: 0.02, pieces: 1, wait: 0, stallEvery: 10, stallFor: 0.7 }, truth: 44.4 },
  'answers before the work': { of: { uneven: 0.6, demand: 0.05, leak: true }, truth: 20 },
  'memory ends it': {
    of: { demand: 0.02, wait: 5, waitUneven: 0.02, leak: true, room: 60 },
    truth: 9.2,
  },
  'cold, twice for 150': {
    of: { ...threads, demand: 0.062, coldFor: 150, coldTimes: 2 },
    truth: 12.68,
    likeN8n: true,
    cold: true,
  },
  'cold, three times for 200': {
    of: { ...threads, demand: 0.062, coldFor: 200, coldTimes: 3 },
    truth: 12.68,
    likeN8n: true,
    cold: true,
  },
  'cold, twice for 1,000': {
    of: { ...threads, demand: 0.062, coldFor: 1000, coldTimes: 2 },
    truth: 12.68,
    likeN8n: true,
    cold: true,
  },
  'cold, 95 ms': { of: { demand: 0.095, uneven: 0.4, coldFor: 150, coldTimes: 2 }, truth: 8.09, cold: true },
  'stops once for 3 s': { of: { ...threads, demand: 0.062, restAfter: 80, restFor: 3 }, truth: 12.68 },
  'a pace that drifts': { of: { ...threads, demand: 0.055, drift: 0.13, driftIn: 30 }, truth: 13.23, likeN8n: true },
  'a cliff above 12': { of: { demand: 0.05, uneven: 0.4, cliff: 12 }, truth: 9.16 },
  'a service of 1 s': { of: { demand: 0.045, uneven: 0.4, wait: 1, waitUneven: 0.2 }, truth: 19.99, p95: 2000 },
}

/** Callers come for so many seconds at a time, and then it is calm again: a cliff is not fallen from for ever. */
const stretch = { seconds: 600, settled: 5 }

/** The capacity of a warm machine over so many hours, by halving: the rate at which 5 % of the answers are late. */
export function longRun({ of, p95 = usualP95 }: Pick<Kind, 'of' | 'p95'>, hours: number): number {
  const warm = { ...of, coldFor: 0, restFor: 0 }
  const lateAt = (rate: number) => {
    const clock = virtualClock()
    const [server, next] = [machine(warm)(clock, 1), random(2)]
    let [late, all] = [0, 0]
    for (let nth = 0; nth < (3600 * hours) / stretch.seconds; nth++) {
      const [from, until] = [clock.now() + 1000 * stretch.settled, clock.now() + 1000 * stretch.seconds]
      const come = () => {
        const at = clock.now()
        server.request(
          () => {
            if (at < from) return
            all++
            if (clock.now() - at > p95) late++
          },
          () => {},
        )
        const due = at - (1000 * Math.log(1 - next())) / rate
        if (due < until) clock.at(due, come)
      }
      clock.at(clock.now(), come)
      clock.drain()
    }
    return late / all
  }
  let [low, high] = [0, (1.2 * (of.workers ?? 1)) / (of.demand ?? 0.06)]
  for (let halving = 0; halving < 9; halving++) {
    const middle = (low + high) / 2
    if (lateAt(middle) > 0.05) high = middle
    else low = middle
  }
  return (low + high) / 2
}
