import type { Capacity } from './summary.ts'

/** Differences below this are not worth a claim, even where repeats agree more closely. */
export const NOISE = 0.05

/** What two figures may differ by without meaning anything: their own spread, and never less than `NOISE`. */
export function noise(...measured: Pick<Capacity, 'spread'>[]): number {
  return Math.max(NOISE, ...measured.map(({ spread }) => spread ?? 0))
}
