import { metBy } from './lateness.ts'
import type { Step } from '../model/step.ts'

/** The result of all tries at one rate together. */
interface Told {
  holds: boolean
  /** Whether there are enough answers to decide; otherwise chance alone may have decided it. */
  sure: boolean
}

/**
 * Tries that are sure by themselves vote, so one hiccup does not break a rate that held as often. Where no try is sure,
 * all their answers together decide, or leave it unsure.
 */
export function tellOf(tried: Pick<Step, 'holds' | 'reasons' | 'lateness'>[]): Told {
  const votes = tried.map(voteOf)
  const [held, broke] = [true, false].map((vote) => votes.filter((each) => each === vote).length) as [number, number]
  if (held + broke > 0) return { holds: held >= broke, sure: held !== broke }
  const together = metBy(tried.map(({ lateness }) => lateness!))
  if (together !== null) return { holds: together, sure: true }
  return { holds: tried.filter(({ holds }) => holds).length * 2 >= tried.length, sure: false }
}

/** Null where only late answers speak against the rate, and they are too few to decide. */
function voteOf({ holds, reasons, lateness }: Pick<Step, 'holds' | 'reasons' | 'lateness'>): boolean | null {
  if (!lateness || reasons.some(({ code }) => code !== 'latency')) return holds
  return metBy([lateness])
}
