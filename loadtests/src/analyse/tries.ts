import { metBy } from './lateness.ts'
import type { Step } from './summary.ts'

/** What all tries at one rate say together. */
export interface Told {
  holds: boolean
  /** Whether the answers are enough to say so: chance alone may have made it of the other. */
  sure: boolean
}

/**
 * Tries that are sure by themselves vote: one hiccup does not break a rate that held as often. Where none is, all their
 * answers together decide, and what they do not decide is unsure.
 */
export function tellOf(tried: Pick<Step, 'holds' | 'reasons' | 'lateness'>[]): Told {
  const votes = tried.map(voteOf)
  const [held, broke] = [true, false].map((vote) => votes.filter((each) => each === vote).length) as [number, number]
  if (held + broke > 0) return { holds: held >= broke, sure: held !== broke }
  const together = metBy(tried.map(({ lateness }) => lateness!))
  if (together !== null) return { holds: together, sure: true }
  return { holds: tried.filter(({ holds }) => holds).length * 2 >= tried.length, sure: false }
}

/** Null where it is about late answers alone, and they are too few to say. */
function voteOf({ holds, reasons, lateness }: Pick<Step, 'holds' | 'reasons' | 'lateness'>): boolean | null {
  if (!lateness || reasons.some(({ code }) => code !== 'latency')) return holds
  return metBy([lateness])
}
