/**
 * Finds the cheapest of many candidates that meets an objective, without looking long at every one of them: first
 * briefly at all, then twice as long at the better half, and so on. Pure: its state is what was seen.
 */

/** One look at a candidate, in the round of that number. */
export interface Look {
  candidate: number
  round: number
  holds: boolean
  /** How much of the objective it met: 1 just meets it, 0.5 answers half of the load or takes twice the time. */
  reach: number
}

/** Rounds of short looks before the last, in which a look has its full length: an eighth of it, a quarter, a half. */
export const shortRounds = 3

/** Of the full length, what a look takes in a round. */
export const shareOf = (round: number) => 1 / 2 ** (shortRounds - round)

/** A candidate that reaches less than this is no near miss, which a longer look might see hold. */
const nearMiss = 0.5

/** The candidate to look at next and in which round, or null when the cheapest is known or none can be. */
export function nextLook(costs: number[], looks: Look[]): { candidate: number; round: number } | null {
  let half = costs.map((_, candidate) => candidate)
  for (let round = 0; round < shortRounds; round++) {
    const next = half.find((candidate) => !looks.some((look) => look.candidate === candidate && look.round === round))
    if (next !== undefined) return { candidate: next, round }
    half = byCost(
      half,
      costs,
      looks.filter((look) => look.round <= round),
    ).slice(0, Math.ceil(half.length / 2))
  }
  return confirmation(costs, looks)
}

/**
 * At full length, until one holds: those that held until now, the cheapest first, then near misses that may yet help.
 */
function confirmation(costs: number[], looks: Look[]): { candidate: number; round: number } | null {
  const short = looks.filter(({ round }) => round < shortRounds)
  const furthest = (candidate: number) => newest(candidate, short).round
  const held = (candidate: number) => Number(newest(candidate, short).holds)
  const ranked = byCost(
    costs.map((_, candidate) => candidate),
    costs,
    short,
  ).sort((a, b) => held(b) - held(a) || furthest(b) - furthest(a))
  for (const candidate of ranked) {
    const last = newest(candidate, looks)
    if (last.round === shortRounds && last.holds) return null
    if (last.round < shortRounds && last.reach >= nearMiss) return { candidate, round: shortRounds }
  }
  return null
}

/** By what it costs to carry the load: of a candidate that does not, as many as would. */
function byCost(all: number[], costs: number[], looks: Look[]): number[] {
  const cost = (candidate: number) => {
    const { holds, reach } = newest(candidate, looks)
    return costs[candidate]! / (holds ? 1 : Math.max(0.01, Math.min(0.99, reach)))
  }
  return all.toSorted((a, b) => cost(a) - cost(b))
}

const newest = (candidate: number, looks: Look[]): Look => looks.findLast((look) => look.candidate === candidate)!
