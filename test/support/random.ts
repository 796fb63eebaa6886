const { imul } = Math

/** Numbers from 0 to 1 that are the same in every run, so that what fails once fails again. (mulberry32) */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Spread evenly over the orders of magnitude between the two. */
export const magnitude = (next: () => number, from: number, to: number) => from * (to / from) ** next()

/** Numbers around 0 with a standard deviation of 1, normally distributed (Box and Muller). */
export const normal = (next: () => number) => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
