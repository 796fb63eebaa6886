import { byRound } from './resources.ts'
import { median, medianKnown } from './statistics.ts'
import type { Result } from '../model/result.ts'
import type { Step } from '../model/step.ts'
import type { Sides } from '../model/summary.ts'

/**
 * What the same load costs two n8n, round by round. The two of a round run side by side or directly after each other,
 * so a slower machine slows both.
 */
export interface Cost {
  name: 'cpu' | 'p95' | 'memory'
  /** What two starts of the same n8n differ by, as a share: pairs of turns do not show it. */
  starts: number
  /** A value for each round. */
  valuesOf(result: Result): Map<string, number>
}

/** What CPU and throughput of two starts of the same n8n differ by, as a share. */
export const startsDifferBy = 0.015

export const costs: Cost[] = [
  { name: 'cpu', starts: startsDifferBy, valuesOf: cpuOf },
  { name: 'p95', starts: 0, valuesOf: inTurn(p95s) },
  { name: 'memory', starts: 0.03, valuesOf: inTurn(({ peaks }) => peaks) },
]

export interface Rounds {
  own: number[]
  others: number[]
  /** The number of all rounds. */
  of: number
  /** What they may differ by in all rounds alike: in turns, each n8n is started once. */
  off: number
}

/** Only rounds that both sustained, late or not: what n8n spends on lost requests is not the cost of a request. */
export function rounds({ valuesOf, starts }: Cost, one: Result, other: Result): Rounds {
  const [own, others] = [sustained(one, valuesOf(one)), sustained(other, valuesOf(other))]
  const both = [...own.keys()].filter((round) => others.has(round))
  return {
    own: both.map((round) => own.get(round)!),
    others: both.map((round) => others.get(round)!),
    of: byRound(one.steps).size,
    off: one.turns ? starts : 0,
  }
}

export const sidesOf = ({ own, others, of }: Rounds): Sides => ({
  own: median(own),
  other: median(others),
  rounds: own.length,
  of,
})

function sustained({ steps }: Result, values: Map<string, number>): Map<string, number> {
  const held = byRound(steps)
  // A value of 0 has no ratio to another one.
  return new Map([...values].filter(([round, value]) => value > 0 && held.get(round)!.every(inTimeOrLate)))
}

const inTimeOrLate = ({ reasons }: Step) => reasons.every(({ code }) => code === 'latency')

/** In turns, without what n8n uses when idle: at a low rate, that hides a difference. */
function cpuOf(result: Result): Map<string, number> {
  if (!result.turns) return inTurn(({ cpuPerRequest }) => cpuPerRequest)(result)
  return new Map(
    result.turns.flatMap(({ repeat, turn, throughput, cpu }) =>
      cpu && throughput === null ? [[`${repeat}.${turn}`, cpu] as const] : [],
    ),
  )
}

/** A round without a figure is null, so that the others keep their places. */
function inTurn(valuesOf: (result: Result) => Array<number | null>): Cost['valuesOf'] {
  return (result) => {
    const values = valuesOf(result)
    return new Map(
      [...byRound(result.steps).keys()].flatMap((round, index) =>
        typeof values[index] === 'number' ? [[round, values[index]] as const] : [],
      ),
    )
  }
}

function p95s({ steps }: Result): Array<number | null> {
  return [...byRound(steps).values()].map((own) => medianKnown(own.map(({ load }) => load.latency?.p95)))
}
