import { magnitude, normal } from '../random.ts'

/** How fast a server is at a moment, in milliseconds; 1 is its usual pace. Moments are asked for in ascending order. */
export type Pace = (at: number) => number

export const steady: Pace = () => 1

/** Seconds for which a pace lasts: n8n on a shared machine changes its pace after a second, or after minutes. */
const lasts = { least: 1, most: 120 }

/** Changes now and then; the paces are normally distributed, with this share as their standard deviation. */
export function uneven(share: number, next: () => number): Pace {
  let [pace, until] = [1, -Infinity]
  return (at) => {
    while (at >= until) {
      pace = Math.exp(share * normal(next))
      until = Math.max(until, at) + magnitude(next, lasts.least, lasts.most) * 1000
    }
    return pace
  }
}
