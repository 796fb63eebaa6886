import { median, sum } from './statistics.ts'

/**
 * V8 compiles what runs often, so an n8n that has just started takes far more CPU for an execution than it will later.
 * What it does until then says nothing of what it sustains.
 */

/** Executions that it had when it was full for some seconds, and CPU seconds that each took; null where unknown. */
export interface FullRound {
  executed: number
  each: number | null
}

/** Rounds that are compared with as many before them: the pace of a machine moves a single one. */
const beside = 3
/** By less than this, as a share, the pace of a machine makes some rounds faster than those before. */
const falls = { perhaps: 0.06, surely: 0.12 }
/** So far above the later rounds, as a share, one at the beginning is still cold. */
const above = 0.08
/** Executions after which n8n hardly gets faster. */
const usuallyWarm = 300

/** Whether an execution took less and less of the CPU until the end of these rounds. */
export function isGettingFaster(rounds: FullRound[], how: keyof typeof falls = 'perhaps'): boolean {
  const told = rounds.filter(({ each }) => each !== null)
  const some = Math.min(beside, told.length >> 1)
  return some > 0 && together(told.slice(-some)) < (1 - falls[how]) * together(told.slice(-2 * some, -some))
}

/** Whether nothing more is to be waited for: it has executed enough, and no longer gets faster. */
export const isWarm = (rounds: FullRound[]): boolean => executedIn(rounds) >= usuallyWarm && !isGettingFaster(rounds)

export const executedIn = (rounds: FullRound[]): number => sum([0, ...rounds.map(({ executed }) => executed)])

/**
 * How many rounds at the beginning took clearly more CPU for an execution than those after them. At most half of them,
 * since the pace of the machine moves them, too.
 */
export function coldRounds(rounds: FullRound[]): number {
  const most = Math.floor(rounds.length / 2)
  let cold = 0
  while (cold < most) {
    const later = rounds.slice(cold + 1).flatMap(({ each }) => each ?? [])
    const { each } = rounds[cold]!
    if (each === null || later.length === 0 || each <= (1 + above) * median(later)) break
    cold++
  }
  return cold
}

/** CPU seconds of an execution in all of them. */
const together = (rounds: FullRound[]) =>
  sum(rounds.map(({ executed, each }) => executed * each!)) / Math.max(1, executedIn(rounds))
