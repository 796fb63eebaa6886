import type { Made, Service } from './servers.ts'

/** Twenty capacities between 5/s and 2000/s, evenly over the orders of magnitude. */
export const capacities = Array.from({ length: 20 }, (_, point) => Number((5 * 400 ** (point / 19)).toPrecision(3)))

/** Below this rate three minutes hold too few requests of random length to tell 5 %. */
export const fewestRandom = 17

const queue = (workers: number, mean: number, spread: Service['spread']): Made => ({
  kind: 'queue',
  workers,
  service: { mean, spread },
})
const sharing = (mean: number, spread: Service['spread']): Made => ({ kind: 'sharing', service: { mean, spread } })

/** Made servers of each kind, whose capacity for random callers truth.ts computes. */
export const points: { text: string; of: Made }[] = [
  { text: 'one queue, 8 ms each', of: queue(1, 8, 'fixed') },
  { text: 'one queue, 20 ms each', of: queue(1, 20, 'fixed') },
  { text: 'one queue, 100 ms each', of: queue(1, 100, 'fixed') },
  { text: 'one queue, 15 ms on average', of: queue(1, 15, 'exponential') },
  { text: 'one queue, 50 ms on average', of: queue(1, 50, 'exponential') },
  { text: 'processor sharing, 10 ms on average', of: sharing(10, 'exponential') },
  { text: 'processor sharing, 40 ms on average', of: sharing(40, 'exponential') },
  { text: 'processor sharing, 25 ms each', of: sharing(25, 'fixed') },
  { text: '3 workers, 150 ms each', of: queue(3, 150, 'fixed') },
  { text: '4 workers, 100 ms on average', of: queue(4, 100, 'exponential') },
  { text: '10 workers, 60 ms on average', of: queue(10, 60, 'exponential') },
  {
    text: 'one queue, 10 ms each, stands still for 1 s of 20',
    of: { kind: 'stall', service: { mean: 10, spread: 'fixed' }, every: 20_000, lasts: 1000 },
  },
  {
    text: 'one queue, 20 ms each, stands still for 0.7 s of 10',
    of: { kind: 'stall', service: { mean: 20, spread: 'fixed' }, every: 10_000, lasts: 700 },
  },
  { text: 'a leak, 25 ms each', of: { kind: 'leak', service: { mean: 25, spread: 'fixed' } } },
  { text: 'a leak, 12 ms on average', of: { kind: 'leak', service: { mean: 12, spread: 'exponential' } } },
  {
    text: 'loses executions while 20 wait, 25 ms each',
    of: { kind: 'losing', service: { mean: 25, spread: 'fixed' }, room: 20 },
  },
]

/** As profile check asks. */
export const slo = { p95: 500, errors: 0.001, backlog: 0.05 }
export const search = { shape: 'search', min: 0.5, max: 10_000, step: 20, precision: 0.05, timeout: 30 } as const
