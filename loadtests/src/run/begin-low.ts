import type { Measure } from './step.ts'

const first = 1
const seconds = 5
/** As many rounds as a warm-up has at least. */
const leastRounds = 3

/** Reasons that say nothing of n8n, and that so few requests always have. */
const saysNothing = new Set<string>(['too-few', 'too-short'])

/**
 * The warm-up of an n8n that the lab did not start. From one request a second on the rate doubles, for as long as all
 * is well, and never past `most`. Returns the highest rate that was well.
 */
export async function beginLow(measure: Measure, most: number): Promise<number> {
  let rate = Math.min(first, most)
  let reached = rate
  for (let round = 1; ; round++) {
    const { reasons } = await measure({ kind: 'constant', rate }, seconds, { purpose: 'warm-up', endOnExit: true })
    if (!reasons.every(({ code }) => saysNothing.has(code))) return reached
    reached = rate
    if (rate === most && round >= leastRounds) return reached
    rate = Math.min(most, 2 * rate)
  }
}
