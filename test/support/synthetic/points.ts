import type { Kind } from './curves.ts'

/** Twenty capacities between 5/s and 2000/s, evenly over the orders of magnitude. */
export const capacities = Array.from({ length: 20 }, (_, point) => Number((5 * 400 ** (point / 19)).toPrecision(3)))

/** Below this rate three minutes hold too few requests of random length to tell 5 %. */
export const fewestRandom = 17

const inTurn: Kind[] = ['fixed', 'leak', 'cliff', 'exponential']

/** One server for each capacity, the kinds in turn. */
export const points = capacities.map((capacity, point) => {
  const possible = inTurn.filter((kind) => kind !== 'exponential' || capacity >= fewestRandom)
  return { kind: possible[point % possible.length]!, capacity }
})

/** As profile check asks. */
export const slo = { p95: 500, errors: 0.001, backlog: 0.05 }
export const search = { shape: 'search', min: 0.5, max: 10_000, step: 20, precision: 0.05, timeout: 30 } as const
