import type { Result, TurnFigures } from '../model/result.ts'
import type { Sample } from '../model/sample.ts'
import type { Step } from '../model/step.ts'
import { median } from './statistics.ts'

/** What an n8n did in each of its turns, to hold against another one's turn beside it. */

export function turnsOf(samples: Iterable<Sample>, steps: Step[]): TurnFigures[] {
  const taken = steps.filter(({ turn, purpose }) => turn !== undefined && purpose !== 'warm-up')
  // What a turn begins with is at a rate of its own; two n8n are alike in the clients that wait.
  const full = taken.some(({ purpose }) => purpose === 'full')
  const compared = full ? taken.filter(({ purpose }) => purpose === 'full') : taken
  if (compared.length === 0) return []
  const used = cpuIn(samples, compared)
  return compared.map((step, index) => ({
    repeat: step.repeat,
    turn: step.turn!,
    throughput: full ? finishedASecond(step) : null,
    cpu: step.load.accepted > 0 && used[index]! > 0 ? used[index]! / step.load.accepted : null,
  }))
}

/** Accepted is not finished: an n8n that answers at once may work later. */
function finishedASecond({ load, accounting: { finished, unknown = 0 } }: Step): number | null {
  const seconds = (load.endedAt - load.startedAt) / 1000
  const done = finished === null ? load.accepted : Math.min(load.accepted, finished + unknown)
  return done > 0 ? done / seconds : null
}

/** So long a pause between two looks is one in which the process waited for its turn. */
const asleep = 2500

/**
 * CPU seconds that all processes used for each step, from the last look before it to the first one after it, without
 * what they use when idle.
 */
function cpuIn(samples: Iterable<Sample>, steps: Step[]): number[] {
  const spans = steps.map(({ load }) => ({ from: load.startedAt, to: load.endedAt, cpu: new Map<string, Used>() }))
  const before = new Map<string, number>()
  const idle = new Map<string, number[]>()
  for (const { process, at, cpu } of samples) {
    const since = before.get(process)
    before.set(process, at)
    if (cpu === null || since === undefined) continue
    const span = spans.find(({ from, to }) => at > from && since < to)
    if (span) {
      const own = span.cpu.get(process) ?? { cpu: 0, seconds: 0 }
      span.cpu.set(process, own)
      own.cpu += (cpu * (at - since)) / 1000
      own.seconds += (at - since) / 1000
    } else if (at - since < asleep) idle.set(process, [...(idle.get(process) ?? []), cpu])
  }
  // The least of its looks: in others it worked off what a step had left.
  const idleOf = (process: string) => {
    const all = (idle.get(process) ?? []).toSorted((a, b) => a - b)
    return all.length ? median(all.slice(0, Math.ceil(all.length / 3))) : 0
  }
  return spans.map(({ cpu }) =>
    [...cpu].reduce((sum, [process, used]) => sum + used.cpu - idleOf(process) * used.seconds, 0),
  )
}

interface Used {
  cpu: number
  seconds: number
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
