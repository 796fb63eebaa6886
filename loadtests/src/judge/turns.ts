import type { Result, TurnFigures } from '../model/result.ts'
import type { Sample } from '../model/sample.ts'
import type { Step } from '../model/step.ts'
import { demandOf, finishedIn, looksOf } from './estimate/demand.ts'

/** What an n8n did in each of its turns, to hold against another one's turn beside it. */

export function turnsOf(samples: Iterable<Sample>, steps: Step[]): TurnFigures[] {
  const taken = steps.filter(({ turn, purpose }) => turn !== undefined && purpose !== 'warm-up')
  // What a turn begins with is at a rate of its own; two n8n are alike in the clients that wait.
  const full = taken.some(({ purpose }) => purpose === 'full')
  const compared = full ? taken.filter(({ purpose }) => purpose === 'full') : taken
  if (compared.length === 0) return []
  const looks = looksOf(samples)
  const begins = steps.map(({ load }) => load.startedAt).toSorted((a, b) => a - b)
  return compared.map((step) => {
    const next = begins.find((at) => at > step.load.startedAt)
    return {
      repeat: step.repeat,
      turn: step.turn!,
      throughput: full ? finishedIn(step, looks) : null,
      cpu: demandOf(step, looks, next)?.each ?? null,
    }
  })
}

/** The pairs of two results' turns of the same number; only those that told the figure. */
export function pairs(
  one: Pick<Result, 'turns'>,
  other: Pick<Result, 'turns'>,
  figure: 'throughput' | 'cpu',
): { own: number[]; others: number[] } {
  const found = (one.turns ?? []).flatMap((turn) => {
    const beside = other.turns?.find((each) => each.repeat === turn.repeat && each.turn === turn.turn)
    const [own, others] = [turn[figure], beside?.[figure]]
    return own && others ? [{ own, others }] : []
  })
  return { own: found.map(({ own }) => own), others: found.map(({ others }) => others) }
}
