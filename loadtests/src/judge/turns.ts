import type { Result, TurnFigures } from '../model/result.ts'
import type { Sample } from '../model/sample.ts'
import type { Step } from '../model/step.ts'
import { demandOfStep, eachIn, finishedIn, looksOf, type StepDemand } from './estimate/demand.ts'

/** What an n8n did in each of its turns, to hold against another one's turn beside it. */

export function turnsOf(samples: Iterable<Sample>, steps: Step[]): TurnFigures[] {
  const taken = steps.filter(({ turn, purpose }) => turn !== undefined && purpose !== 'warm-up')
  if (taken.length === 0) return []
  const looks = looksOf(samples)
  const begins = steps.map(({ load }) => load.startedAt).toSorted((a, b) => a - b)
  const told = taken.map((step) => ({
    step,
    demand: demandOfStep(
      step,
      looks,
      begins.find((at) => at > step.load.startedAt),
    ),
  }))
  return told.map(({ step, demand }) => {
    const isFull = step.purpose === 'full'
    const own = told.filter(({ step: other }) => other.repeat === step.repeat && other.turn === step.turn)
    const isSearch = own.some((one) => one.step.purpose === 'full')
    return {
      repeat: step.repeat,
      turn: step.turn!,
      throughput: isFull ? finishedIn(step, looks) : null,
      // Where a turn has two steps, both together say it: the one at the edge may be of a handful of executions.
      cpu: isSearch ? (isFull ? together(own.map((one) => one.demand)) : null) : (demand?.each ?? null),
    }
  })
}

function together(demands: (StepDemand | null)[]): number | null {
  const told = demands.filter((one) => one !== null)
  return told.length ? eachIn(told) : null
}

/** Two at a rate of their own, or two that were full. */
const areAlike = (one: TurnFigures, other: TurnFigures) =>
  one.repeat === other.repeat && one.turn === other.turn && (one.throughput === null) === (other.throughput === null)

/** The pairs of two results' turns of the same number; only those that told the figure. */
export function pairs(
  one: Pick<Result, 'turns'>,
  other: Pick<Result, 'turns'>,
  figure: 'throughput' | 'cpu',
): { own: number[]; others: number[] } {
  const found = (one.turns ?? []).flatMap((turn) => {
    const beside = other.turns?.find((each) => areAlike(each, turn))
    const [own, others] = [turn[figure], beside?.[figure]]
    return own && others ? [{ own, others }] : []
  })
  return { own: found.map(({ own }) => own), others: found.map(({ others }) => others) }
}
