/**
 * Finds the cheapest of many candidates that meets an objective, without a long look at each of them. First it looks
 * briefly at all, then twice as long at the better half, and so on. Pure: its state is the list of looks.
 */

/** One look at a candidate, in the given round. */
export interface CandidateLook {
  candidate: number
  round: number
  holds: boolean
  /** How much of the objective it met: 1 just meets it, 0.5 answers half of the load or takes twice the time. */
  reach: number
}

/**
 * Rounds of short looks before the last round, whose looks have full length. The short ones take an eighth of it, a
 * quarter, a half.
 */
export const shortRounds = 3

/** The share of the full length that a look takes in a round. */
export const shareOfLength = (round: number) => Math.min(1, 1 / 2 ** (shortRounds - round))

/** One look may be luck: the candidate that is recommended has held this many at full length. */
const confirmedBy = 2

/** A candidate below this is so far off that a longer look would not see it hold. */
const nearMiss = 0.5

/** The next candidate and its round; null when the cheapest is known or none can be. */
export function nextLook(costs: number[], looks: CandidateLook[]): { candidate: number; round: number } | null {
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
 * At full length, until one has held twice. First come those that have held until now, the cheapest first, then near
 * misses. One that breaks at full length is out.
 */
function confirmation(costs: number[], looks: CandidateLook[]): { candidate: number; round: number } | null {
  const short = looks.filter(({ round }) => round < shortRounds)
  const furthest = (candidate: number) => newest(candidate, short).round
  const held = (candidate: number) => Number(newest(candidate, short).holds)
  const ranked = byCost(
    costs.map((_, candidate) => candidate),
    costs,
    short,
  ).sort((a, b) => held(b) - held(a) || furthest(b) - furthest(a))
  for (const candidate of ranked) {
    const full = looks.filter((look) => look.candidate === candidate && look.round >= shortRounds)
    if (full.length === confirmedBy && full.every(({ holds }) => holds)) return null
    const out = full.length > 0 ? full.some(({ holds }) => !holds) : newest(candidate, short).reach < nearMiss
    if (!out) return { candidate, round: shortRounds + full.length }
  }
  return null
}

/** The cost of sustaining the load: for a candidate that does not sustain it, the cost of as many of them as would. */
function byCost(all: number[], costs: number[], looks: CandidateLook[]): number[] {
  const cost = (candidate: number) => {
    const { holds, reach } = newest(candidate, looks)
    return costs[candidate]! / (holds ? 1 : Math.max(0.01, Math.min(0.99, reach)))
  }
  return all.toSorted((a, b) => cost(a) - cost(b))
}

const newest = (candidate: number, looks: CandidateLook[]): CandidateLook =>
  looks.findLast((look) => look.candidate === candidate)!
