import type { Range } from '../../model/estimate.ts'
import { beliefIn, rangeIn } from './interval.ts'
import { unevens } from './table.ts'
import type { Fit } from './estimate.ts'
import type { Node } from './twin.ts'

/** How two n8n differ in capacity, where they were loaded in turns on one machine. */

/** Two configurations of n8n are alike: in how uneven their work is, and in what of it counts. In logarithms. */
const alike = { uneven: 0.05, factor: 0.02, otherKind: 0.3, least: 1e-4 }
/** What a ratio may be off beside chance. */
const off = 0.08
/** Nodes less likely than this change nothing. */
const leastChance = 2e-4

/** The capacity of the second ÷ that of the first. */
export function ratioBetween(one: Fit, other: Fit): Range & { ratio: number } {
  const points = likely(one).flatMap((a) =>
    likely(other).map((b) => ({ log: b.logCapacity - a.logCapacity, chance: a.chance * b.chance * together(a, b) })),
  )
  const { low, rate: ratio, high } = rangeIn(beliefIn(points, off))
  return { low, ratio, high }
}

const likely = ({ nodes }: Fit) => nodes.filter(({ chance }) => chance > leastChance)

function together(a: Node, b: Node): number {
  const spread = ({ uneven }: Node) => Math.log(1 + unevens[uneven]! ** 2)
  const apart = ((spread(a) - spread(b)) / alike.uneven) ** 2 + (Math.log(a.factor / b.factor) / alike.factor) ** 2
  const other = (differs: boolean) => (differs ? alike.otherKind : 1)
  return (
    Math.exp(-apart / 2)
      * other(a.discipline !== b.discipline || a.servers !== b.servers)
      * other(a.pauses !== b.pauses)
    + alike.least
  )
}
