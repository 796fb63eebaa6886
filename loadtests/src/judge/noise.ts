import type { Capacity } from '../model/result.ts'

/** Differences below this are too small to claim, even where repeats agree more closely. */
export const NOISE = 0.05

/** How far two figures may differ without meaning: their own spread, and at least `NOISE`. */
export function noise(...measured: Pick<Capacity, 'spread'>[]): number {
  return Math.max(NOISE, ...measured.map(({ spread }) => spread ?? 0))
}
