import jstat from 'jstat'

/**
 * A gate that looks at its figures after each round, and stops at the first answer, has as many chances to be wrong as
 * it looks. So each look gets a part of the errors that are allowed in all, and later looks get less. However long it
 * goes on, they never sum up to more (Lan and DeMets' alpha spending).
 */

/** With fewer rounds, the spread itself is too uncertain to look. */
export const firstLook = 3

/** The part of all errors that the looks until this round may make: a third at the third round, half at the fourth. */
const spentBy = (round: number) => (round < firstLook ? 0 : 1 - (firstLook - 1) / round)

/**
 * How surely a figure has to tell at the look after so many rounds (one-sided), so that all looks until then together
 * err no more often than `allowed`. Reckoned for sums of normal noise, and used for Student's t at the same level.
 */
export function levelAt(round: number, allowed: number): number {
  const levels = known.get(allowed) ?? []
  known.set(allowed, levels)
  if (levels[round] === undefined)
    for (const [index, level] of reckon(Math.max(round, 30), allowed)) levels[index] = level
  return levels[round]!
}

const known = new Map<number, number[]>()

const density = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
const above = (x: number) => 1 - jstat.normal.cdf(x, 0, 1)

/**
 * Follows how the sum of the rounds is distributed while no look has answered. At each look the boundary lies where
 * what is beyond it is just what the look may spend.
 */
function reckon(most: number, allowed: number): [round: number, level: number][] {
  const levels: [number, number][] = []
  const width = 0.1
  let sums = new Map<number, number>([[0, 1]])
  for (let round = 1; round <= most; round++) {
    sums = oneMore(sums, width)
    const spends = allowed * (spentBy(round) - spentBy(round - 1))
    if (spends <= 0) continue
    const falling = [...sums.keys()].sort((a, b) => b - a)
    let beyond = 0
    let boundary = falling[0]!
    for (const at of falling) {
      const mass = sums.get(at)!
      if (beyond + mass > spends) {
        boundary = at + 0.5 - (spends - beyond) / mass
        sums.set(at, mass - (spends - beyond))
        break
      }
      beyond += mass
      sums.delete(at)
    }
    levels.push([round, above((boundary * width) / Math.sqrt(round))])
  }
  return levels
}

/** The sums after one more round, on a grid. */
function oneMore(sums: Map<number, number>, width: number): Map<number, number> {
  const reach = Math.ceil(6 / width)
  const steps = Array.from({ length: 2 * reach + 1 }, (_, index) => density((index - reach) * width) * width)
  const next = new Map<number, number>()
  for (const [at, mass] of sums)
    if (mass > 1e-12)
      steps.forEach((step, index) => {
        const to = at + index - reach
        next.set(to, (next.get(to) ?? 0) + mass * step)
      })
  return next
}
