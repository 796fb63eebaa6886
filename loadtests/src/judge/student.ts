import { gammaln } from 'simple-statistics'

/** Student's t: how often chance alone moves so few values so far. */

/** The share of values that chance alone moves this far, to either side. */
export const chanceOf = (t: number, freedom: number): number =>
  incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5)

const known = new Map<string, number>()

/** The value that |t| stays below in this share of cases. */
export function studentFor(share: number, freedom: number): number {
  const key = `${share} ${freedom}`
  const found = known.get(key) ?? search(share, freedom)
  known.set(key, found)
  return found
}

function search(share: number, freedom: number): number {
  let [low, high] = [0, 1e4]
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2
    if (chanceOf(middle, freedom) > 1 - share) low = middle
    else high = middle
  }
  return high
}

function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1
  const front = Math.exp(gammaln(a + b) - gammaln(a) - gammaln(b) + a * Math.log(x) + b * Math.log(1 - x))
  // The fraction converges fast only on this side.
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b
}

/** The continued fraction of that function, by Lentz's method. */
function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-30
  const off = (value: number) => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / off(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; m <= 200; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    for (const term of [even, odd]) {
      d = 1 / off(1 + term * d)
      c = off(1 + term / c)
      result *= d * c
    }
    if (Math.abs(d * c - 1) < 1e-12) break
  }
  return result
}
