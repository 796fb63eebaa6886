import { latency, memory } from '../lib/figures.ts'
import { byRepeat } from './resources.ts'
import { median, medianKnown } from './statistics.ts'
import type { Result } from '../model/result.ts'
import type { Step } from '../model/step.ts'

/**
 * What the same load costs two n8n, round by round. The two of a round run side by side or directly after each other,
 * so a slower machine slows both.
 */
export interface Cost {
  name: 'cpu' | 'p95' | 'memory'
  what: string
  write(value: number): string
  /** A value for each repeat, by its number. */
  valuesOf(result: Result): Map<number, number>
}

export const costs: Cost[] = [
  {
    name: 'cpu',
    what: 'CPU a request',
    write: (seconds) => latency(seconds * 1000),
    valuesOf: inTurn(({ cpuPerRequest }) => cpuPerRequest),
  },
  { name: 'p95', what: 'p95', write: latency, valuesOf: inTurn(p95s) },
  { name: 'memory', what: 'memory', write: memory, valuesOf: inTurn(({ peaks }) => peaks) },
]

export interface Rounds {
  own: number[]
  others: number[]
  /** The number of all rounds. */
  of: number
}

/** Only rounds that both carried, late or not: what n8n spends on lost requests is not the cost of a request. */
export function rounds({ valuesOf }: Cost, one: Result, other: Result): Rounds {
  const [own, others] = [carried(one, valuesOf(one)), carried(other, valuesOf(other))]
  const both = [...own.keys()].filter((repeat) => others.has(repeat))
  return {
    own: both.map((repeat) => own.get(repeat)!),
    others: both.map((repeat) => others.get(repeat)!),
    of: byRepeat(one.steps).size,
  }
}

/** Both figures, for brackets; such as `with` and `without`. */
export function bothFigures(
  { write }: Cost,
  { own, others, of }: Rounds,
  say: (own: string, other: string) => string,
): string {
  const some = own.length < of ? `; both sustained it in ${own.length} of ${of} rounds` : ''
  return `${say(write(median(own)), write(median(others)))}${some}`
}

function carried({ steps }: Result, values: Map<number, number>): Map<number, number> {
  const held = byRepeat(steps)
  // A value of 0 has no ratio to another one.
  return new Map([...values].filter(([repeat, value]) => value > 0 && held.get(repeat)!.every(inTimeOrLate)))
}

const inTimeOrLate = ({ reasons }: Step) => reasons.every(({ code }) => code === 'latency')

/** A repeat without a figure is null, so that the others keep their places. */
function inTurn(valuesOf: (result: Result) => Array<number | null>): Cost['valuesOf'] {
  return (result) => {
    const values = valuesOf(result)
    return new Map(
      [...byRepeat(result.steps).keys()].flatMap((repeat, index) =>
        typeof values[index] === 'number' ? [[repeat, values[index]] as const] : [],
      ),
    )
  }
}

function p95s({ steps }: Result): Array<number | null> {
  return [...byRepeat(steps).values()].map((own) => medianKnown(own.map(({ load }) => load.latency?.p95)))
}
