import jstat from 'jstat'
import type { Difference } from './difference.ts'
import { sum } from './statistics.ts'

/**
 * How two n8n differ that one machine loads in turns, while its pace drifts. What one turn says is near to what the
 * next one says, and far from what is said minutes later. How far the pace drifts, and how fast, is not known. So every
 * usual drift is tried, and counts by how well it explains the turns: a Gaussian process, its hyperparameters
 * integrated over.
 */

/** One turn of either. */
export interface Turn {
  /** Epoch milliseconds, in its middle. */
  at: number
  /** The figure that is compared. */
  value: number
  /** What of chance is in it: the more executions, the less. */
  executed: number
  isOther: boolean
}

/** By `spread`, as a share; `memory`, in seconds; and `uneven`, one execution's standard deviation ÷ mean. */
interface Drift {
  spread: number
  memory: number
  uneven: number
}

const spreads = [0.02, 0.035, 0.06, 0.1, 0.16, 0.26]
const memories = [5, 12, 30, 75, 200, 500]
const unevens = [0.12, 0.2, 0.32, 0.5, 0.8]

/** Before the turns: what is usual, and by what factor it varies, in logarithms. */
const logBefore = ({ spread, memory, uneven }: Drift): number => {
  const off = (value: number, middle: number, factor: number) => (Math.log(value / middle) / factor) ** 2 / 2
  return -off(spread, 0.08, 0.9) - off(memory, 40, 1.3) - off(uneven, 0.3, 0.6)
}

/** One drift, how likely it is, and the logarithm of the ratio under it. */
interface Explained {
  logLikely: number
  ratio: number
  error: number
}

/**
 * The ratio of one to the other. Each run of turns is apart from the others: its n8n started anew. `off`: what two
 * starts of the same n8n differ by. Null where no run has turns of both.
 */
export function differenceUnderDrift(runs: Turn[][], off: number): Difference | null {
  const both = runs.filter((turns) => turns.some(({ isOther }) => isOther) && turns.some(({ isOther }) => !isOther))
  if (both.length === 0) return null
  const tried = spreads.flatMap((spread) =>
    memories.flatMap((memory) => unevens.map((uneven) => explain(both, { spread, memory, uneven }))),
  )
  const best = Math.max(...tried.map(({ logLikely }) => logLikely))
  const weighed = tried.map((one) => ({ ...one, chance: Math.exp(one.logLikely - best) }))
  const all = sum(weighed.map(({ chance }) => chance))
  const likely = weighed.map((one) => ({ ...one, chance: one.chance / all, error: Math.hypot(one.error, off) }))
  const below = (log: number) =>
    sum(likely.map(({ chance, ratio, error }) => chance * jstat.normal.cdf(log, ratio, error)))
  const at = (share: number) => quantile(below, share, likely)
  const share = (chance: number) => Math.exp(at(chance)) - 1
  return {
    share: share(0.5),
    low: share(0.025),
    high: share(0.975),
    least: share(0.05),
    most: share(0.95),
    chance: 2 * Math.min(below(0), 1 - below(0)),
    rounds: sum(both.map((turns) => Math.floor(turns.length / 2))),
    error: (at(0.975) - at(0.025)) / (2 * normalEnds),
    freedom: Infinity,
  }
}

/** Standard deviations between the middle of a normal distribution and its ends, right 19 times in 20. */
const normalEnds = 1.96

/** How likely the turns are under a drift, whatever their level and the ratio are, and the ratio itself. */
function explain(runs: Turn[][], drift: Drift): Explained {
  const parts = runs.map((turns) => {
    const root = choleskyOf(
      turns.map((one, nth) =>
        turns.map(
          (other, beside) =>
            drift.spread ** 2 * Math.exp(-Math.abs(one.at - other.at) / 1000 / drift.memory)
            + (nth === beside ? drift.uneven ** 2 / one.executed : 0),
        ),
      ),
    )
    const whiten = (values: number[]) => forward(root, values)
    const level = whiten(turns.map(() => 1))
    const other = whiten(turns.map(({ isOther }) => Number(isOther)))
    const value = whiten(turns.map((one) => Math.log(one.value)))
    const levels = dot(level, level)
    // Without what the level of this run explains.
    const apart = (a: number[], b: number[]) => dot(a, b) - (dot(a, level) * dot(b, level)) / levels
    return {
      certainty: apart(other, other),
      pull: apart(other, value),
      misfit: apart(value, value),
      logVolume: 2 * sum(root.map((row, nth) => Math.log(row[nth]!))) + Math.log(levels),
    }
  })
  const certainty = sum(parts.map((one) => one.certainty))
  const ratio = sum(parts.map(({ pull }) => pull)) / certainty
  const misfit = sum(parts.map((one) => one.misfit)) - certainty * ratio ** 2
  const logVolume = sum(parts.map((one) => one.logVolume)) + Math.log(certainty)
  return { logLikely: logBefore(drift) - (misfit + logVolume) / 2, ratio, error: 1 / Math.sqrt(certainty) }
}

const dot = (a: number[], b: number[]) => a.reduce((all, one, nth) => all + one * b[nth]!, 0)

/** The lower triangle whose product with itself is the matrix. */
function choleskyOf(matrix: number[][]): number[][] {
  const root: number[][] = []
  matrix.forEach((row, one) => {
    root.push([])
    for (let other = 0; other <= one; other++) {
      const left = row[other]! - dot(root[one]!.slice(0, other), root[other]!)
      root[one]!.push(one === other ? Math.sqrt(left) : left / root[other]![other]!)
    }
  })
  return root
}

/** Solves the triangle for these values. */
function forward(root: number[][], values: number[]): number[] {
  const solved: number[] = []
  root.forEach((row, nth) => {
    const known = solved.reduce((all, one, before) => all + row[before]! * one, 0)
    solved.push((values[nth]! - known) / row[nth]!)
  })
  return solved
}

/** By halving, between what is far below and far above all of them. */
function quantile(below: (log: number) => number, share: number, likely: Explained[]): number {
  let [low, high] = [
    Math.min(...likely.map(({ ratio, error }) => ratio - 6 * error)),
    Math.max(...likely.map(({ ratio, error }) => ratio + 6 * error)),
  ]
  for (let nth = 0; nth < 50; nth++) {
    const middle = (low + high) / 2
    if (below(middle) < share) low = middle
    else high = middle
  }
  return (low + high) / 2
}
