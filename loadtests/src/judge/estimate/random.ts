/** Random numbers that are the same in every run, so that the same steps always give the same estimate. */

export type Random = () => number

const { imul } = Math

/** mulberry32: from 0 to below 1. */
export function random(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Around 0 with a standard deviation of 1 (Box and Muller). */
export const normal = (next: Random): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())

/** With this shape and scale 1 (Marsaglia and Tsang); the shape is at least 1. */
function gamma(shape: number, next: Random): number {
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  while (true) {
    const x = normal(next)
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(1 - next()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v
  }
}

/** Fills it with the work of requests, 1 on average: their standard deviation is `uneven`. Beyond 1 a few are long. */
export function fillWithWork(work: Float64Array, uneven: number, next: Random): void {
  const variance = Math.log(1 + uneven * uneven)
  const shape = 1 / (uneven * uneven)
  let total = 0
  for (let at = 0; at < work.length; at++)
    total += work[at] =
      uneven === 0
        ? 1
        : uneven > 1
          ? Math.exp(normal(next) * Math.sqrt(variance) - variance / 2)
          : gamma(shape, next) / shape
  // The mean is what was measured, so chance has no part in it.
  for (let at = 0; at < work.length; at++) work[at]! *= work.length / total
}
