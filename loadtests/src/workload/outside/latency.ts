import type { OutsideRule } from '../../model/outside.ts'

/** How many standard deviations the 95th percentile of a normal distribution lies above its median. */
const z95 = 1.6449

/**
 * The time of one answer, in milliseconds. It is log-normal, as services usually answer, through the two percentiles.
 * `random` gives numbers from 0 up to 1.
 */
export function draw({ p50, p95 }: OutsideRule['latency'], random: () => number): number {
  if (p50 === 0 || p50 === p95) return p50
  return p50 * Math.exp((Math.log(p95 / p50) / z95) * normal(random))
}

/** The Box-Muller transform; 1 minus a number from 0 up to 1 is never 0. */
const normal = (random: () => number) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
