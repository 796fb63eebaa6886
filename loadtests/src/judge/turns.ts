import type { Result, TurnFigures } from '../model/result.ts'
import type { Sample } from '../model/sample.ts'
import type { Step } from '../model/step.ts'
import type { Turn } from './drift.ts'
import { demandOfStep, finishedIn, looksOf } from './estimate/demand.ts'
import { groupBy, sum } from './statistics.ts'
import { coldRounds } from './warmth.ts'

/** What an n8n did in each of its turns, to hold against another one's turns beside it. */

export function turnsOf(samples: Iterable<Sample>, steps: Step[]): TurnFigures[] {
  const inOrder = steps.toSorted((a, b) => a.load.startedAt - b.load.startedAt)
  const taken = inOrder.filter(({ turn, purpose }) => turn !== undefined && purpose !== 'warm-up')
  // In a search each has steps at rates of its own, too, and only what is full is the same load for both.
  const full = taken.filter(({ purpose }) => purpose === 'full')
  const looks = looksOf(samples)
  return (full.length > 0 ? full : taken).map((step) => {
    const { load } = step
    const until = inOrder.find((one) => one.load.startedAt > load.startedAt)?.load.startedAt
    const earlier = inOrder.filter((one) => one.repeat === step.repeat && one.load.startedAt < load.startedAt)
    return {
      repeat: step.repeat,
      turn: step.turn!,
      at: (load.startedAt + load.endedAt) / 2,
      before: sum([0, ...earlier.map((one) => one.load.accepted)]),
      executed: load.accepted,
      throughput: step.purpose === 'full' ? finishedIn(step, looks) : null,
      cpu: demandOfStep(step, looks, until)?.each ?? null,
    }
  })
}

type Loaded = Pick<Result, 'turns'>

/**
 * The turns of two results that tell the figure, by repeat: pairs of the same number, without those in which either
 * was still cold. What is left is compared at equal numbers of executions.
 */
export function turnsTogether(one: Loaded, other: Loaded, figure: 'throughput' | 'cpu'): Turn[][] {
  const byRepeat = [...groupBy(one.turns ?? [], ({ repeat }) => repeat)]
  return byRepeat.flatMap(([repeat, own]) => {
    const others = (other.turns ?? []).filter((turn) => turn.repeat === repeat)
    const warm = Math.max(warmAfter(own), warmAfter(others))
    const pairs = own.flatMap((turn) => {
      const beside = others.find((each) => each.turn === turn.turn)
      return beside && Math.min(turn.before, beside.before) >= warm ? [[turn, beside] as const] : []
    })
    const turns = pairs.flatMap(([mine, theirs]) => {
      const [value, valueOfOther] = [mine[figure], theirs[figure]]
      return value && valueOfOther
        ? [
            { at: mine.at, value, executed: mine.executed, isOther: false },
            { at: theirs.at, value: valueOfOther, executed: theirs.executed, isOther: true },
          ]
        : []
    })
    return turns.length > 0 ? [turns] : []
  })
}

/** Executions after which an n8n was warm. */
const warmAfter = (turns: TurnFigures[]): number =>
  turns[coldRounds(turns.map(({ executed, cpu }) => ({ executed, each: cpu })))]?.before ?? 0
