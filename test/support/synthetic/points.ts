import type { Made, Service } from './servers.ts'

/** Twenty capacities between 5/s and 2000/s, evenly over the orders of magnitude. */
export const capacities = Array.from({ length: 20 }, (_, point) => Number((5 * 400 ** (point / 19)).toPrecision(3)))

const queue = (workers: number, mean: number, spread: Service['spread']): Made => ({
  kind: 'queue',
  workers,
  service: { mean, spread },
})
const sharing = (mean: number, spread: Service['spread']): Made => ({ kind: 'sharing', service: { mean, spread } })

/**
 * Made servers of each kind. What they truly sustain for random callers, p95 ≤ 500 ms, is what truth.ts computes (its
 * test computes it again).
 */
export const points: { text: string; truth: number; of: Made }[] = [
  { text: 'one queue, 8 ms each', truth: 122.5, of: queue(1, 8, 'fixed') },
  { text: 'one queue, 20 ms each', truth: 47.0, of: queue(1, 20, 'fixed') },
  { text: 'one queue, 100 ms each', truth: 6.9, of: queue(1, 100, 'fixed') },
  { text: 'one queue, 15 ms on average', truth: 60.7, of: queue(1, 15, 'exponential') },
  { text: 'one queue, 50 ms on average', truth: 14.0, of: queue(1, 50, 'exponential') },
  { text: 'processor sharing, 10 ms on average', truth: 92.5, of: sharing(10, 'exponential') },
  { text: 'processor sharing, 40 ms on average', truth: 17.7, of: sharing(40, 'exponential') },
  { text: 'processor sharing, 25 ms each', truth: 34.3, of: sharing(25, 'fixed') },
  { text: '3 workers, 150 ms each', truth: 16.3, of: queue(3, 150, 'fixed') },
  { text: '4 workers, 100 ms on average', truth: 32.7, of: queue(4, 100, 'exponential') },
  { text: '10 workers, 60 ms on average', truth: 161, of: queue(10, 60, 'exponential') },
  {
    text: 'one queue, 10 ms each, stands still for 1 s of 20',
    truth: 46.7,
    of: { kind: 'stall', service: { mean: 10, spread: 'fixed' }, every: 20_000, lasts: 1000 },
  },
  {
    text: 'one queue, 20 ms each, stands still for 0.7 s of 10',
    truth: 24.3,
    of: { kind: 'stall', service: { mean: 20, spread: 'fixed' }, every: 10_000, lasts: 700 },
  },
  { text: 'a leak, 25 ms each', truth: 42.1, of: { kind: 'leak', service: { mean: 25, spread: 'fixed' } } },
  { text: 'a leak, 12 ms on average', truth: 87.7, of: { kind: 'leak', service: { mean: 12, spread: 'exponential' } } },
  {
    text: 'loses executions while 20 wait, 25 ms each',
    truth: 39.5,
    of: { kind: 'losing', service: { mean: 25, spread: 'fixed' }, room: 20 },
  },
]

/** As profile check asks. */
export const slo = { p95: 500, errors: 0.001, backlog: 0.05 }
export const search = { shape: 'search', min: 0.5, max: 10_000, step: 20, precision: 0.05, timeout: 30 } as const
